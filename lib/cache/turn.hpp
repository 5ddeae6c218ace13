// Whose turn it is to compile: one process a key, where the file system has locks.
#pragma once

#include "base/digest.hpp"
#include "base/file_lock.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace kiln {

/// A lock on one byte of the cache folder's lock file, at the first 62 bits of the key: nothing to create, to remove or
/// to break, and a holder that dies frees it. Held while this object lives and is not released. For one thread.
class Turn {
 public:
  enum class Result {
    ours,         // locked: nobody else compiles this key now
    found,        // `look` was satisfied while another had the lock
    overdue,      // another has had the lock for too long: go on without it
    unavailable,  // no locks here, or none to be had now: go on without one
  };
  /// The byte that eviction locks, behind those of all keys.
  static constexpr std::int64_t eviction_offset = std::int64_t{1} << 62;

  explicit Turn(FileSystem& files) : lock_(files) {}

  /// Where another has the lock, calls `waits` once, and then asks `look` and tries again every 1 to 20 ms, until
  /// `patience` is over.
  Result take(const std::string& lock_path, const Digest& key, const std::function<bool()>& look,
              const std::function<void()>& waits, std::chrono::milliseconds patience);
  void release() noexcept { lock_.close(); }
  bool is_held() const noexcept { return lock_.is_locked(); }
  /// After `unavailable`: whether that will stay so, because the file system has no locks.
  bool has_no_locks() const noexcept { return has_no_locks_; }

  static std::int64_t offset_of(const Digest& key) noexcept;

 private:
  FileLock lock_;
  bool has_no_locks_ = false;
};

}  // namespace kiln
