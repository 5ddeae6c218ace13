// A tree of files that a compiler brings along and reads, such as headers, stored completely in a cache folder:
//
//   <root>/v3/trees/<64 hex>/contents    every file of the tree and its digest, in the frame of entry.hpp
//   <root>/v3/trees/<64 hex>/...         the files
//
// It is made aside and renamed, so that it exists completely or not at all. It is no entry: it does not count towards
// the folder's limit, and is not evicted for entries.
#pragma once

#include "base/stop.hpp"
#include "cache/cache_folder.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace kiln {

/// For one thread; other objects and processes may have the same tree.
class KeptTree {
 public:
  KeptTree(CacheFolder& folder, const Digest& key);

  /// Its folder, also where that does not exist.
  const std::string& path() const noexcept { return path_; }
  /// One status call: whether it was made, and is of this user alone.
  bool is_here() const;
  /// Reads all of it: whether every file has the content that it was made with, and there is no other.
  bool is_whole() const;
  /// Touches it, at most once an hour, so that remove_trees() keeps it.
  void stamp() const;
  /// Writes the tree's files into an empty folder; false where it cannot.
  using Fill = std::function<bool(const std::string& folder)>;
  /// Where it is not here, waits while another process makes it, else has `fill` make it. Whether it is here then; not
  /// so where the folder cannot be written, `fill` fails or `stop` is due. What `fill` throws goes through, and leaves
  /// nothing.
  bool make(const Fill& fill, const Stop& stop);
  /// The same where it is incomplete: it is replaced.
  bool repair(const Fill& fill, const Stop& stop);
  /// False where something is left of it.
  bool remove();

 private:
  using Check = std::function<bool()>;
  bool make_unless(const Check& is_good, const Check& is_done, const Fill& fill, const Stop& stop);
  bool make_aside(const Check& is_good, const Fill& fill);
  std::string contents() const { return path_ + "/contents"; }

  CacheFolder& folder_;
  const Digest key_;
  const std::string path_;
};

/// Trees that no compile used for that long may be removed; the shortest time is longer than any compile.
constexpr std::int64_t day_ns = 24 * hour_ns;

struct TreeSizes {
  std::uint64_t trees = 0;
  std::uint64_t bytes = 0;  // of the files that they were made with
};
/// What is there, by the trees' own lists.
TreeSizes tree_sizes(CacheFolder& folder);

/// Calls `visit` with the key of each tree, complete or not. 0 or -errno.
int for_each_tree(CacheFolder& folder, const std::function<void(const Digest& key)>& visit);

/// Removes the trees that were not used for `unused_ns`; all where that is 0. The path that cannot be removed, or
/// nothing.
std::string remove_trees(CacheFolder& folder, std::int64_t unused_ns);

/// Removes a folder with all in it; links in it are not followed. False where something is left.
bool remove_tree(const std::string& path);

}  // namespace kiln
