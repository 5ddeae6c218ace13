// What a compile read beyond its source, and whether it would read the same today.
#pragma once

#include "base/digest.hpp"
#include "base/file_system.hpp"
#include "cache/file_observer.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace kiln {

/// Folders whose paths differ between machines and checkouts: the request's own, then the toolkit's. A path below one
/// is stored relative to it.
struct Roots {
  std::vector<std::string> paths;
  /// False where the toolkit's folders are not known, because this machine has none: files below a root beyond `paths`
  /// are then taken to be unchanged, and not checked.
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

/// A header that is checked each time: first its fingerprint, called its state, then its content.
struct FileDependency {
  RootedPath path;
  FileStatus status;
  Digest digest;
  /// False if an equal state may hide another content: because of the file system (FileObserver::has_reliable_times),
  /// or because the content was read within a tick after the state was first seen (longest_tick_ns). The content is
  /// then compared each time; in the second case only until a later check makes the state reliable.
  bool reliable_times = true;
};

/// A folder whose own state shows whether something was made, removed or replaced in it: one of a package (the
/// toolkit's), whose files are replaced and not edited, or one of the user's in which names were looked for and
/// missing. What was found or missing in it is recorded, as the folder may change and this may not.
struct FolderDependency {
  RootedPath path;
  FileStatus status;
  struct Header {
    std::string name;  // within the folder
    Digest digest;     // all zeros: nothing of that name may be there
  };
  std::vector<Header> headers;
  bool reliable_times = true;
};

/// A folder, a non-regular or an unreadable file where a header would be: compilers go on and search elsewhere.
struct ObstacleDependency {
  enum class Kind : unsigned char { folder = 1, other = 2, unreadable = 3 };
  RootedPath path;
  Kind kind = Kind::folder;  // other: a device, a pipe or a socket
  friend bool operator==(const ObstacleDependency&, const ObstacleDependency&) = default;
};

/// A root that must have this absolute path, because the code or a source text may contain it.
struct AbsolutePathDependency {
  int root = 0;
  std::string path;
  friend bool operator==(const AbsolutePathDependency&, const AbsolutePathDependency&) = default;
};

using DeviceNumbers = std::vector<std::uint64_t>;

struct Dependencies {
  std::vector<FileDependency> files;
  std::vector<FolderDependency> folders;
  /// Where a header would have been found first, or __has_include looked: nothing may be there.
  std::vector<RootedPath> absent;
  std::vector<ObstacleDependency> obstacles;
  std::vector<AbsolutePathDependency> absolute_paths;
  /// For each distinct device of the states, in the order of first use: the other numbers that it has on hosts and in
  /// containers where contents were compared.
  std::vector<DeviceNumbers> other_devices;
  /// False after a look-up that did not need the folders' headers, and did not read them: `headers` is empty then.
  bool headers_known = true;
};

/// In all but `changed` the dependencies now have the present states.
enum class Freshness {
  unchanged,  // every file and folder has the recorded state
  confirmed,  // states differ or are not reliable, contents and names are the same; the new states save no or little
              // work
  refreshed,  // the same, and the new states are worth keeping: contents were read, which they save the next time
  changed,    // something that the compile read, or would read, is different
};

/// Fills in the folders' headers; false where they are lost.
using HeaderLoader = std::function<bool(Dependencies& dependencies)>;

/// For dependencies from another machine, whose states mean nothing here: alters them so that they equal none, and the
/// next check compares contents. Which files are one file, or copies of one time, stays known.
void distrust_states(Dependencies& dependencies);

/// Checks everything once, first by one status call for each file, folder, absent path and non-regular file; then reads
/// contents, only where a state differs or is not reliable, and the size does not differ. A status call that fails
/// counts as a change. Another number than the recorded one is the same device where contents were compared before.
/// `what` receives the path that changed, for the log; with a slash at its end where the code holds that absolute path.
/// States become reliable if contents were compared a tick after these states were first seen, by this check or when
/// they were recorded (FileObserver::age_of_record). `load_headers` is called where a folder differs and its headers
/// are not known.
Freshness check_dependencies(FileObserver& observer, const Roots& roots, Dependencies& dependencies, std::string* what,
                             const HeaderLoader& load_headers);

/// Makes only the status calls: true if no state changed.
bool unchanged(FileSystem& files, const Roots& roots, const Dependencies& dependencies);
/// Whether these states alone prove, for any process, that contents are unchanged.
bool are_reliable(const Dependencies& dependencies);
/// The longest tick of the file systems of these files and folders (longest_tick_ns).
std::int64_t longest_tick_ns(const Dependencies& dependencies);
/// Where that is false: whether only folders changed, and the names that were missing in them are still missing, which
/// needs no reading of files. Where true, `dependencies` then has the present states.
bool has_only_folder_changes(FileSystem& files, const Roots& roots, Dependencies& dependencies);
/// As unchanged() for states from any process, perhaps of another host or image: false where a state is not reliable.
/// Where true, `dependencies` then has the present device numbers.
bool unchanged(FileObserver& observer, const Roots& roots, Dependencies& dependencies);

}  // namespace kiln
