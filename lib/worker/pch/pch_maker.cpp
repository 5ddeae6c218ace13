#include "worker/pch/pch_maker.hpp"

#include "worker/pch/make_pch.hpp"
#include "worker/pch/pch_policy.hpp"

#include <kiln/log.hpp>

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace kiln {

namespace {

constexpr unsigned longest = 300;  // seconds
constexpr int low_priority = 10;   // a tenth of what others get, and all that nobody wants

std::optional<PchOrder>& ordered() {
  static std::optional<PchOrder> order;
  return order;
}

/// In memory that the monitor has too.
std::atomic<pid_t>* shared = nullptr;

pid_t latest = 0;

void wait_for_maker() {
  while (latest != 0 && ::waitpid(latest, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool is_working(pid_t maker) { return maker != 0 && ::waitpid(maker, nullptr, WNOHANG) == 0; }

/// Nothing of the worker stays open: its host would not notice its end.
void leave_worker() {
  ::setpgid(0, 0);
  ::prctl(PR_SET_NAME, "kiln-pch");
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int descriptor : {0, 1, 2})
    if (nothing >= 0) ::dup2(nothing, descriptor);
  const auto most = static_cast<int>(::sysconf(_SC_OPEN_MAX));
  for (int descriptor = 3; descriptor < std::min(most, 1024); ++descriptor) ::close(descriptor);
  ::umask(077);
  ::alarm(longest);
}

[[noreturn]] void work(const PchOrder& order) {
  leave_worker();
  set_log_handler([](LogLevel, const std::string&) {});
  if (order.haste == PchOrder::Haste::later) ::setpriority(PRIO_PROCESS, 0, low_priority);
  try {
    make_pch(order);
  } catch (const std::exception&) {  // then there is none, and a later compile orders it again
  }
  ::_exit(0);
}

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
  const pid_t maker = ::fork();
  if (maker == 0) work(order);
  if (maker < 0) return;
  ::setpgid(maker, maker);  // both do, so that it is done whichever runs first
  latest = maker;
  if (shared != nullptr) shared->store(maker);
}

void share_pch_maker() {
  void* const page = ::mmap(nullptr, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page != MAP_FAILED) shared = new (page) std::atomic<pid_t>(0);
}

int pch_maker() noexcept { return shared != nullptr ? shared->load() : 0; }

}  // namespace kiln
