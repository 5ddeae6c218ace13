// Locks for objects that outlive a fork.
#pragma once

#include <cstdint>
#include <mutex>

namespace kiln {

/// Differs between a process and its child of fork, so that an object knows that its other threads do not exist.
std::uint64_t fork_generation() noexcept;

/// A mutex that fork(2) waits for, so that a child finds it free and the guarded data consistent. A leaf: while one is
/// held, nothing else may be locked, no user code run, and no ForkSafeMutex made or destroyed, or fork could wait
/// forever.
class ForkSafeMutex {
 public:
  ForkSafeMutex();
  ~ForkSafeMutex();
  ForkSafeMutex(const ForkSafeMutex&) = delete;
  ForkSafeMutex& operator=(const ForkSafeMutex&) = delete;

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

}  // namespace kiln
