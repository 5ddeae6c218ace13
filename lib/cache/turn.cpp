#include "cache/turn.hpp"

#include <algorithm>
#include <cerrno>
#include <random>

#include <time.h>

namespace kiln {

namespace {

using Clock = std::chrono::steady_clock;

/// Random, so that ranks that started together do not ask together; longer each time, up to a bound.
class Pause {
 public:
  void take() {
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

std::int64_t Turn::offset_of(const Digest& key) noexcept {
  std::uint64_t bits = 0;
  for (int i = 0; i < 8; ++i) bits = bits << 8 | key.bytes[static_cast<std::size_t>(i)];
  return static_cast<std::int64_t>(bits >> 2);
}

Turn::Result Turn::take(const std::string& lock_path, const Digest& key, const std::function<bool()>& look,
                        const std::function<void()>& waits, std::chrono::milliseconds patience) {
  if (lock_.open(lock_path) != 0) return Result::unavailable;
  const std::int64_t offset = offset_of(key);
  int code = lock_.try_lock(offset);
  if (code == -EAGAIN) {
    waits();
    const Clock::time_point end = Clock::now() + patience;
    for (Pause pause; code == -EAGAIN && Clock::now() < end;) {
      pause.take();
      if (look()) {
        release();
        return Result::found;
      }
      code = lock_.try_lock(offset);
    }
  }
  if (code == 0) return Result::ours;
  has_no_locks_ = FileLock::has_no_locks(code);
  release();
  return code == -EAGAIN ? Result::overdue : Result::unavailable;
}

}  // namespace kiln
