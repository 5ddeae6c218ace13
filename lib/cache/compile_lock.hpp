// One compile for all processes that need the same code at the same time.
#pragma once

#include "base/stop.hpp"
#include "cache/key_lock.hpp"
#include "cache/store.hpp"

#include <chrono>
#include <optional>

namespace kiln {

/// The right to compile a request, which one process at a time has. For one thread.
class CompileLock {
 public:
  /// How long lock() waits for another process's compile.
  static constexpr std::chrono::milliseconds default_timeout = std::chrono::minutes(5);

  /// Without a store, or where its folder is only read, nothing is locked.
  explicit CompileLock(CacheStore* store);
  /// Where the lock is still held, the compile gave nothing that can be stored: the processes that wait then all
  /// compile at once, and not one after the other.
  ~CompileLock();
  CompileLock(const CompileLock&) = delete;
  CompileLock& operator=(const CompileLock&) = delete;

  /// After CacheStore::find() found nothing: waits for the lock, and looks again. What another process compiled
  /// meanwhile; nothing where this process is to compile, or `stop` is due. It may have to compile without the lock:
  /// where the file system has none, and where another process holds it for too long. To be called once. Throws
  /// nothing.
  std::optional<CacheStore::Hit> lock(const CacheKey& request, bool has_dependencies, const Roots& roots,
                                      const Stop& stop = {}, std::chrono::milliseconds timeout = default_timeout);
  /// To be called when the code, or a negative entry (a note), is in the cache.
  void release() noexcept { lock_.release(); }
  bool is_held() const noexcept { return lock_.is_held(); }

 private:
  CacheStore* const store_;
  Digest key_;
  KeyLock lock_;
};

}  // namespace kiln
