// The files of one cache folder:
//
//   <root>/CACHEDIR.TAG                            tells backup programs to skip the folder
//   <root>/v1/entries/<2 hex>/<62 hex>.<kind>      kind is code, manifest or headers; the name is the key's
//   <root>/v1/tmp/<pid>-<random>.tmp               files that are being written
//   <root>/v1/statistics                           see statistics.hpp
//   <root>/v1/swept                                its time is that of the last look for abandoned temporary files
//
// Folders are of mode 0700, files of mode 0600.
#pragma once

#include "cache/entry.hpp"

#include "base/file_system.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace kiln {

/// Stateless but for names, and thread-safe.
class CacheFolder {
 public:
  CacheFolder(FileSystem& files, std::string root);

  const std::string& root() const noexcept { return root_; }
  std::string statistics_path() const { return version_ + "/statistics"; }
  std::string path(EntryKind kind, const Digest& key) const;

  enum class ReadResult {
    good,
    missing,  // not there, or not to be read now: nothing was touched
    damaged,  // and removed
  };
  /// One open, status, read and close. A file that is refused is removed unless another one has taken its place.
  ReadResult read(EntryKind kind, const Digest& key, Sections& sections) const;

  /// 0 or -errno; makes the folders that are missing.
  int publish(EntryKind kind, const Digest& key, const Sections& sections) const;
  int remove(EntryKind kind, const Digest& key) const;
  bool holds(EntryKind kind, const Digest& key) const;

  /// Calls `visit` with each file of the cache's own naming in the entries' folders. 0 or the first -errno of listing.
  int for_each(const std::function<void(EntryKind kind, const std::string& path)>& visit) const;
  /// Removes temporary files that a killed process left an hour or longer ago. Looks at most once a day.
  void sweep() const;

 private:
  int make_folders(const std::string& shard) const;
  void remove_unless_replaced(const std::string& path, const FileStatus& damaged) const;
  std::string temporary_dir() const { return version_ + "/tmp"; }

  FileSystem& files_;
  const std::string root_;
  const std::string version_;
};

}  // namespace kiln
