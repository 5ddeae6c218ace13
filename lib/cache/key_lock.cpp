#include "cache/key_lock.hpp"

#include <algorithm>
#include <cerrno>
#include <random>

#include <time.h>

namespace kiln {

namespace {

using Clock = std::chrono::steady_clock;

/// Random, so that processes that started together do not try at the same moments; longer each time, up to a bound.
class Pause {
 public:
  void wait() {
    const int microseconds = std::uniform_int_distribution<int>(longest_ / 2, longest_)(random_);
    const timespec time = {0, 1000L * microseconds};
    ::nanosleep(&time, nullptr);
    longest_ = std::min(2 * longest_, 20'000);
  }

 private:
  std::minstd_rand random_{std::random_device{}()};
  int longest_ = 2'000;
};

}  // namespace

std::int64_t KeyLock::offset_of(const Digest& key) noexcept {
  std::uint64_t bits = 0;
  for (int i = 0; i < 8; ++i) bits = bits << 8 | key.bytes[static_cast<std::size_t>(i)];
  return static_cast<std::int64_t>(bits >> 2);
}

KeyLock::Result KeyLock::lock(const std::string& lock_path, const Digest& key, const std::function<bool()>& is_done,
                              const std::function<void()>& on_wait, std::chrono::milliseconds timeout) {
  if (lock_.open(lock_path) != 0) return Result::unavailable;
  const std::int64_t offset = offset_of(key);
  int code = lock_.try_lock(offset);
  if (code == -EAGAIN) {
    on_wait();
    const Clock::time_point end = Clock::now() + timeout;
    for (Pause pause; code == -EAGAIN && Clock::now() < end;) {
      pause.wait();
      if (is_done()) {
        release();
        return Result::done;
      }
      code = lock_.try_lock(offset);
    }
  }
  if (code == 0) return Result::locked;
  release();
  return code == -EAGAIN ? Result::timed_out : Result::unavailable;
}

}  // namespace kiln
