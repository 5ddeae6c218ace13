#include "worker/pch/pch_maker.hpp"

#include "worker/background/background_process.hpp"
#include "worker/pch/make_pch.hpp"
#include "worker/pch/pch_policy.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <utility>

namespace kiln {

namespace {

constexpr unsigned longest = 300;  // seconds
constexpr int low_priority = 10;   // a tenth of what others get, and all that nobody wants

std::optional<PchOrder>& ordered() {
  static std::optional<PchOrder> order;
  return order;
}

pid_t latest = 0;

void wait_for_maker() {
  while (latest != 0 && ::waitpid(latest, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool is_working(pid_t maker) { return maker != 0 && ::waitpid(maker, nullptr, WNOHANG) == 0; }

}  // namespace

void order_pch(PchOrder order) {
  if (!ordered()) ordered().emplace(std::move(order));
  if (!pch_policy().waits) return;
  start_ordered_pch_maker();
  wait_for_maker();
}

void start_ordered_pch_maker() {
  if (const auto order = std::exchange(ordered(), std::nullopt)) start_pch_maker(*order);
}

void start_pch_maker(const PchOrder& order) {
  if (is_working(latest) || !can_be_made(order)) return;
  // Where it fails there is none, and a later compile orders it again.
  const pid_t maker = start_in_background("kiln-pch", longest, [&order] {
    if (order.haste == PchOrder::Haste::later) ::setpriority(PRIO_PROCESS, 0, low_priority);
    make_pch(order);
  });
  if (maker > 0) latest = maker;
}

}  // namespace kiln
