// What a compile read beyond its source, and whether it would read the same today.
#pragma once

#include "base/digest.hpp"
#include "base/file_system.hpp"
#include "cache/file_observer.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace kiln {

/// Folders whose place differs between machines and checkouts: a request's own, then the toolkit's. A path below one is
/// kept relative to it.
struct Roots {
  std::vector<std::string> paths;
  /// False where the toolkit's folders are not known, because this machine has none: what lies below a root beyond
  /// `paths` is then taken to be as it was, and not looked at.
  bool complete = true;
  bool lacks(int root) const { return !complete && root >= 0 && static_cast<std::size_t>(root) >= paths.size(); }
};

/// A path: below roots[root], or absolute where root is -1.
struct RootedPath {
  int root = -1;
  std::string path;
  /// Empty, which no file has, where there is no such root.
  std::string resolve(const Roots& roots) const;
  /// The same into a string that is used again; false where there is no such root.
  bool resolve(const Roots& roots, std::string& resolved) const;
  /// Below the longest root that holds it, the first of equals. The root "/" is none.
  static RootedPath relate(const std::string& absolute, const Roots& roots);
  friend bool operator==(const RootedPath&, const RootedPath&) = default;
};

/// A header that is looked at each time: by inode, size and times, then by content.
struct FileDependency {
  RootedPath path;
  FileStatus status;
  Digest digest;
};

/// A folder of a package (the toolkit's): packages replace files, so its own inode and times tell whether one changed.
/// Its headers are kept by content for the case that the folder changed and they did not.
struct FolderDependency {
  RootedPath path;
  FileStatus status;
  struct Header {
    std::string name;  // within the folder
    Digest digest;     // all zeros: nothing of that name may be there
  };
  std::vector<Header> headers;
};

/// A root that must lie at that very path, because the code may hold the path, or a text does.
struct PlaceDependency {
  int root = 0;
  std::string path;
  friend bool operator==(const PlaceDependency&, const PlaceDependency&) = default;
};

struct Dependencies {
  std::vector<FileDependency> files;
  std::vector<FolderDependency> folders;
  /// Where a header would have been found first, or __has_include looked: nothing may be there.
  std::vector<RootedPath> absent;
  std::vector<PlaceDependency> places;
  /// False after a look-up that had no need of the folders' headers and left them on disk: `headers` is empty then.
  bool headers_known = true;
  bool empty() const { return files.empty() && folders.empty() && absent.empty() && places.empty(); }
};

enum class Freshness {
  unchanged,  // one look at each file and folder showed the recorded state
  refreshed,  // states differ, contents do not; `dependencies` now holds the states of today
  changed,    // something that the compile read, or would read, is different
};

/// Fills in the folders' headers; false where they are lost.
using HeaderLoader = std::function<bool(Dependencies& dependencies)>;

/// Looks at everything once, first by one status call for each file, folder and absent path; then reads contents, only
/// where a state differs or has coarse times, and the size does not differ. A status call that fails counts as a
/// change. `what` receives the path that changed, for the log; with a slash at its end where it is a place that the
/// code holds. `load_headers` is called where a folder differs and its headers are not known.
Freshness check_dependencies(FileSystem& files, const Roots& roots, Dependencies& dependencies,
                             std::string* what = nullptr);
Freshness check_dependencies(FileObserver& observer, const Roots& roots, Dependencies& dependencies, std::string* what,
                             const HeaderLoader& load_headers);

/// Only the status calls, for dependencies whose states are known to this process: true where nothing moved.
bool unchanged(FileSystem& files, const Roots& roots, const Dependencies& dependencies);
/// The same for states from any process, perhaps of another image: false where a file's times are too coarse to tell.
bool unchanged(FileObserver& observer, const Roots& roots, const Dependencies& dependencies);

}  // namespace kiln
