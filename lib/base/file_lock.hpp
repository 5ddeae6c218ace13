// A lock on a byte of a file, held by an object and not by a process.
#pragma once

#include "base/file_system.hpp"
#include "base/owned_descriptor.hpp"

#include <cstdint>
#include <string>

namespace kiln {

/// An open-file-description lock: it excludes other processes, and other FileLocks of this one; the kernel releases it
/// when its holder dies. A child of fork does not keep it: its copy of the descriptor is closed in the child, or a
/// child that lives on would hold what its parent, killed, can no longer release. One object is one thread's; the file
/// stays.
class FileLock {
 public:
  /// `brief` is for a lock that one function takes and gives back without calling others: it does not look whether the
  /// program has closed the descriptor meanwhile, which costs three calls.
  enum class Duration { any, brief };
  explicit FileLock(FileSystem& files, Duration duration = Duration::any)
      : files_(files), is_brief_(duration == Duration::brief) {}
  ~FileLock() { close(); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  /// Opens the file, which must be no link, or makes it. 0 or -errno.
  int open(const std::string& path);
  /// Locks one byte without waiting. 0, -EAGAIN where another has it, or -errno; -EBADF in a child of the fork, and
  /// where the program has closed the descriptor.
  int try_lock(std::int64_t offset);
  /// Unlocks and closes; nothing where that was done, or in a child of the fork.
  void close() noexcept;
  int descriptor() const noexcept { return descriptor_; }
  bool is_locked() const noexcept { return locked_ && descriptor_ >= 0; }

  /// Whether an error of try_lock means that the file system has no locks, not that another has this one.
  static bool has_no_locks(int code) noexcept;

 private:
  friend struct OpenLocks;
  bool is_own() const noexcept { return descriptor_ >= 0 && (is_brief_ || file_.is_behind(descriptor_)); }

  FileSystem& files_;
  const bool is_brief_;
  int descriptor_ = -1;
  DescriptorFile file_;
  bool locked_ = false;
  std::int64_t offset_ = 0;
};

}  // namespace kiln
