// A lock on one key of a cache folder, between processes, where the file system has locks.
#pragma once

#include "base/digest.hpp"
#include "base/file_lock.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace kiln {

/// A lock on one byte of the cache folder's lock file, at the first 62 bits of the key: there is no file to create or
/// remove for each key, and a process that dies frees its lock. Held while this object lives and is not released. For
/// one thread.
class KeyLock {
 public:
  enum class Result {
    locked,
    done,         // `is_done` returned true while another process had the lock
    timed_out,    // another process has had the lock for too long
    unavailable,  // the file system has no locks, or none can be had now
  };
  /// The byte that eviction locks, after those of all keys.
  static constexpr std::int64_t eviction_offset = std::int64_t{1} << 62;

  explicit KeyLock(FileSystem& files) : lock_(files) {}

  /// Where another process has the lock, calls `on_wait` once, then calls `is_done` and tries again every 1 to 20 ms,
  /// until `timeout` is over.
  Result lock(const std::string& lock_path, const Digest& key, const std::function<bool()>& is_done,
              const std::function<void()>& on_wait, std::chrono::milliseconds timeout);
  void release() noexcept { lock_.close(); }
  bool is_held() const noexcept { return lock_.is_locked(); }

  static std::int64_t offset_of(const Digest& key) noexcept;

 private:
  FileLock lock_;
};

}  // namespace kiln
