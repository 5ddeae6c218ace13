// The files of one cache folder, and its counters:
//
//   <root>/CACHEDIR.TAG                            makes backup programs skip the folder
//   <root>/v3/entries/<2 hex>/<62 hex>.<kind>      the name is the key's; the kinds are in entry.hpp
//   <root>/v3/entries/<2 hex>/<62 hex>.cu          the text of a source, for debuggers
//   <root>/v3/entries/<2 hex>/<62 hex>.pch         a precompiled header (see pch_location.hpp)
//   <root>/v3/trees/<64 hex>/                      headers that a compiler brought; see kept_tree.hpp
//   <root>/v3/tmp/<pid>-<random>.tmp               files and trees that are being written or removed
//   <root>/v3/remotes/<address>.counters           of a remote cache; see remote_counters.hpp
//   <root>/v3/statistics                           see statistics.hpp
//   <root>/v3/lock                                 empty; its bytes are locked (see key_lock.hpp); never removed
//   <root>/v3/swept                                its time is that of the last sweep of abandoned temporary files
//
// Folders are of mode 0700, files of mode 0600.
#pragma once

#include "cache/entry.hpp"
#include "cache/key.hpp"
#include "cache/statistics.hpp"
#include "cache/trust.hpp"

#include "base/file_system.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// Whether two status calls for a path saw one file with one fingerprint. (Not by its change time, which a rename
/// changes.)
bool same_file(const FileStatus& a, const FileStatus& b) noexcept;

constexpr std::int64_t hour_ns = 3'600'000'000'000;

enum class Access { read_write, read_only };

/// Throws Error: "cannot <what> <path>", why, and the way out. `code` is -errno.
[[noreturn]] void throw_cache_error(const std::string& what, const std::string& path, int code);

/// What every use of a cache folder starts from. Reading and publishing count what they meet. Thread-safe.
class CacheFolder {
 public:
  CacheFolder(FileSystem& files, std::string root, Access access = Access::read_write, Trust trust = {});

  FileSystem& files() const noexcept { return files_; }
  const std::string& root() const noexcept { return root_; }
  std::string lock_path() const { return version_ + "/lock"; }
  std::string temporary_dir() const { return version_ + "/tmp"; }
  std::string remotes_dir() const { return version_ + "/remotes"; }
  std::string trees_dir() const { return version_ + "/trees"; }
  /// A file in the temporary folder whose name ends so is removed by sweep().
  static constexpr std::string_view temporary_suffix = ".tmp";
  std::string path(EntryKind kind, const Digest& key) const;
  /// Of such a path.
  static Digest key_of_path(std::string_view path);
  bool is_writable() const noexcept { return access_ == Access::read_write; }

  enum class State { good, absent, refused };
  /// Whether the folder may be used (trust.hpp). Looked at, by two status calls, until it was found good or refused
  /// once: then that holds for this process. Warns once why a folder is refused, or cannot be looked at where it is
  /// only read.
  State state() const;
  /// Why the folder cannot be used, beginning with the path at fault; empty where it can, also where it is to be made
  /// by the first store. A thorough check for diagnostics: in an own folder a file is written and removed.
  std::string fault() const;
  /// Throws Error, with the reason, where the folder is refused.
  void require_usable() const;
  /// Makes the folders down to the version's where they are missing; then as state(). 0 or -errno.
  int prepare() const;

  enum class ReadResult {
    good,
    missing,    // not there, or not readable now: nothing was changed
    damaged,    // and removed, where this folder may be changed; counted as corrupt
    untrusted,  // of an owner or mode that trust objects to, and not signed: nothing was changed; counted as refused
    another,    // undamaged, and of another request that has the same name: nothing was changed
  };
  /// One open, status, read and close. A file that is refused is removed unless another one has replaced it. `status`
  /// receives that of the file that was read.
  ReadResult read(EntryKind kind, const Digest& key, Sections& sections, FileStatus* status = nullptr);
  /// The same of a file that is looked for by a request.
  ReadResult read(EntryKind kind, const CacheKey& key, Sections& sections, FileStatus* status = nullptr);

  /// 0 or -errno; makes the folders that are missing. Counts the file's bytes. With Sync::on the file and the folders
  /// that lead to it are on the disk after that.
  int publish(EntryKind kind, const Digest& key, const Sections& sections, Sync sync = Sync::off);
  /// The same with the request, which comes last, after what describes the content.
  int publish(EntryKind kind, const CacheKey& key, Sections sections, Sync sync = Sync::off);
  /// A name in the temporary folder, which is made where it is missing, for a bare file that another program is to
  /// write; empty where there is none.
  std::string new_temporary();
  /// The present time by the clock of the folder's own file system, in ns since 1970: creates a file, reads its time
  /// and removes it. Empty if the file cannot be created.
  std::optional<std::int64_t> file_time_now();
  /// Takes such a file over, under the digest of its content. 0 or -errno; the file is then still there.
  int adopt(EntryKind kind, const Digest& key, const std::string& temporary);
  /// Removes a file of the cache. 0 or -errno.
  int discard(const std::string& path) const;
  int remove(EntryKind kind, const Digest& key) const { return discard(path(kind, key)); }
  /// For a file with a good checksum whose content makes no sense: removes it where this folder may be changed, and
  /// counts it as corrupt.
  void remove_malformed(EntryKind kind, const Digest& key);
  bool holds(EntryKind kind, const Digest& key) const;
  /// Why the file of that status is not to be trusted (trust.hpp); empty where it is.
  std::string objection(const FileStatus& status) const { return trust_.objection(files_, status); }
  /// Whether a file of that status was last touched an hour ago. stamp() touches it, for eviction, when it is used.
  bool is_stale(const FileStatus& status) const;
  void stamp(EntryKind kind, const Digest& key) const;

  /// Calls `visit` with each file of the cache's own naming in the entries' folders. 0 or the first -errno of listing.
  int for_each(const std::function<void(EntryKind kind, const std::string& path)>& visit) const;
  /// lstat(2) of a file that for_each() listed. -ENOENT also where a link or a folder has such a name: not the cache's.
  int file_status(const std::string& path, FileStatus& status) const;
  /// Removes temporary files that a killed process left an hour or longer ago, at most once a day. Whether a day has
  /// passed: false, too, for the first time.
  bool sweep() const;

  /// Adds to the folder's counters, in memory, where the folder may be changed.
  void count(Counter counter, std::uint64_t amount = 1);
  /// How many files were refused as untrusted since the last call, for the counters of another folder where this one is
  /// only read.
  std::uint64_t take_refusals() noexcept { return refusals_.exchange(0, std::memory_order_relaxed); }
  /// Writes what was counted, where the folder may be changed; where that fails, the next call does it.
  void write_counts();
  Statistics& statistics() noexcept { return statistics_; }

  /// The most bytes that the folder is to keep; 0: no limit. KILN_CACHE_MAX_SIZE, where none was set.
  std::uint64_t size_limit() const;
  /// The folder is that of precompiled headers, with a limit of its own; warnings name it so.
  void be_for_pch(std::uint64_t most_bytes) noexcept {
    size_limit_.store(most_bytes, std::memory_order_relaxed);
    is_for_pch_.store(true, std::memory_order_relaxed);
  }

 private:
  bool lacks_home() const;  // below a HOME that is not there, which this library must not make
  std::string unreadable(const std::string& path, int code) const;
  std::string unwritable() const;
  void warn_of(const std::string& fault) const noexcept;
  ReadResult read_once(const std::string& path, EntryKind kind, const Digest& key, Sections& sections,
                       FileStatus& status, int& code) const;
  std::string entries_dir() const { return version_ + "/entries"; }
  int write_file(const std::string& path, std::string_view content, Sync sync);
  int sync_folders_of(const std::string& path) const;
  int make_folders();
  void make_tag() const;
  int make_stamp(const std::string& path) const;
  void remove_unless_replaced(const std::string& path, const FileStatus& damaged) const;

  FileSystem& files_;
  const std::string root_;
  const std::string version_;
  const Access access_;
  const Trust trust_;
  Statistics statistics_;
  static constexpr std::uint64_t no_size_limit_set = UINT64_MAX;
  std::atomic<std::uint64_t> size_limit_{no_size_limit_set};
  std::atomic<bool> is_for_pch_{false};
  std::atomic<std::uint64_t> refusals_{0};
  mutable std::atomic<State> state_{State::absent};
  mutable std::atomic<bool> warned_{false};
};

}  // namespace kiln
