#include "base/stop_wait.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

namespace kiln {

StopWait::StopWait(const Stop& stop) : stop_(stop) {
  if (stop_.cancel.state() == nullptr) return;
  woken_ = OwnedDescriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (woken_.get() < 0) return;
  watch_.emplace(stop_.cancel, [this] {
    const std::uint64_t one = 1;
    if (!woken_.is_own()) return;
    [[maybe_unused]] const auto written = ::write(woken_.get(), &one, sizeof one);
  });
}

/// How long poll may sleep, in milliseconds; -1 is without limit.
int StopWait::slice() const {
  constexpr std::chrono::milliseconds longest{60'000};
  constexpr int unwoken = 50;  // no descriptor was left for the eventfd: the token is looked at now and then
  const bool must_look = stop_.cancel.state() != nullptr && !woken_.is_own();
  if (!stop_.deadline) return must_look ? unwoken : -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*stop_.deadline - Stop::Clock::now());
  const int bounded = static_cast<int>(std::clamp(left, std::chrono::milliseconds{0}, longest).count());
  return must_look ? std::min(unwoken, bounded) : bounded;
}

bool StopWait::wait(int descriptor, short events) const {
  for (;;) {
    if (stop_.is_due()) return false;
    pollfd waited[] = {{descriptor, events, 0}, {woken_.get(), POLLIN, 0}};
    const int ready = ::poll(waited, woken_.is_own() ? 2 : 1, slice());
    if (ready > 0 && waited[0].revents != 0 && !stop_.is_due()) return true;
  }
}

}  // namespace kiln
