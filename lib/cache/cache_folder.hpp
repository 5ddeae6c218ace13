// The files of one cache folder:
//
//   <root>/CACHEDIR.TAG                            tells backup programs to skip the folder
//   <root>/v2/entries/<2 hex>/<30 hex>.<kind>      the name is the key's; the kinds are in entry.hpp
//   <root>/v2/entries/<2 hex>/<30 hex>.cu          the text of a source, for debuggers
//   <root>/v2/tmp/<pid>-<random>.tmp               files that are being written or removed
//   <root>/v2/statistics                           see statistics.hpp
//   <root>/v2/lock                                 empty; its bytes are locked (see turn.hpp), it is never removed
//   <root>/v2/swept                                its time is that of the last look for abandoned temporary files
//
// Folders are of mode 0700, files of mode 0600.
#pragma once

#include "cache/entry.hpp"
#include "cache/key.hpp"
#include "cache/trust.hpp"

#include "base/file_system.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace kiln {

/// Whether two looks at a path saw one file in one state. (Not by its change time, which a rename moves.)
bool same_file(const FileStatus& a, const FileStatus& b) noexcept;

constexpr std::int64_t hour_ns = 3'600'000'000'000;

enum class Access { read_write, read_only };

/// Thread-safe.
class CacheFolder {
 public:
  CacheFolder(FileSystem& files, std::string root, Access access = Access::read_write, Trust trust = {});

  const std::string& root() const noexcept { return root_; }
  std::string statistics_path() const { return version_ + "/statistics"; }
  std::string lock_path() const { return version_ + "/lock"; }
  std::string path(EntryKind kind, const Digest& key) const;
  bool writable() const noexcept { return access_ == Access::read_write; }

  enum class State { good, absent, refused };
  /// Whether the folder may be used (rule C27). Looked at, by two status calls, until it was found good or refused
  /// once: then that stands for this process. Why it is refused is told once, as a warning.
  State state() const;
  /// What speaks against a folder that is refused, with its path.
  std::string objection() const;
  /// The folders down to the version's, made where they are missing; looked at as by state(). 0 or -errno.
  int prepare() const;

  enum class ReadResult {
    good,
    missing,    // not there, or not to be read now: nothing was touched
    damaged,    // and removed, where this folder may be changed
    untrusted,  // of an owner or mode that trust objects to: nothing was touched
    another,    // whole, and of another request that has the same name: nothing was touched
  };
  /// One open, status, read and close. A file that is refused is removed unless another one has taken its place.
  ReadResult read(EntryKind kind, const Digest& key, Sections& sections) const;
  /// The same, with the status of the file that was read.
  ReadResult read(EntryKind kind, const Digest& key, Sections& sections, FileStatus& status) const;
  /// The same of a file that is looked for by a request.
  ReadResult read(EntryKind kind, const CacheKey& key, Sections& sections) const;
  ReadResult read(EntryKind kind, const CacheKey& key, Sections& sections, FileStatus& status) const;

  /// 0 or -errno; makes the folders that are missing. `bytes` grows by the size of the file.
  int publish(EntryKind kind, const Digest& key, const Sections& sections, std::uint64_t* bytes = nullptr) const;
  /// The same with the request, which comes last, behind what describes the content.
  int publish(EntryKind kind, const CacheKey& key, Sections sections, std::uint64_t* bytes = nullptr) const;
  /// Takes a file of the cache away: 0 or -errno.
  int discard(const std::string& path) const;
  int remove(EntryKind kind, const Digest& key) const { return discard(path(kind, key)); }
  bool holds(EntryKind kind, const Digest& key) const;
  /// Whether the last note that a file of that status was used is an hour old; stamp() notes it, for eviction.
  bool is_stale(const FileStatus& status) const;
  void stamp(EntryKind kind, const Digest& key) const;
  /// A mark that a compile of that key came to nothing: its file differs each time. The sweep takes it away.
  void mark_failure(const Digest& key) const;
  FileStatus failure_mark(const Digest& key) const;
  /// Makes a network file system look anew at what is in the folder of that key.
  void refresh(const Digest& key) const;

  /// Calls `visit` with each file of the cache's own naming in the entries' folders. 0 or the first -errno of listing.
  int for_each(const std::function<void(EntryKind kind, const std::string& path)>& visit) const;
  /// lstat(2) of a file that for_each() told of. -ENOENT also where a link or a folder has such a name: none of ours.
  int file_status(const std::string& path, FileStatus& status) const;
  /// Removes temporary files that a killed process left an hour or longer ago. Looks at most once a day; whether it
  /// did.
  bool sweep() const;

 private:
  ReadResult read_once(const std::string& path, EntryKind kind, const Digest& key, Sections& sections,
                       FileStatus& status, int& code) const;
  int make_folders(const std::string& shard) const;
  void remove_unless_replaced(const std::string& path, const FileStatus& damaged) const;
  std::string temporary_dir() const { return version_ + "/tmp"; }

  FileSystem& files_;
  const std::string root_;
  const std::string version_;
  const Access access_;
  const Trust trust_;
  mutable std::atomic<State> state_{State::absent};
};

}  // namespace kiln
