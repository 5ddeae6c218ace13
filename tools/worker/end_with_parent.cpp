#include "end_with_parent.hpp"

#include "base/quiet_thread.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace kiln::worker {

namespace {

/// -1 where the system has none.
int open_process([[maybe_unused]] pid_t process) {
#ifdef SYS_pidfd_open
  return static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
#else
  return -1;
#endif
}

[[noreturn]] void watch(pid_t parent, int channel, int process) {
  constexpr short end = POLLRDHUP;  // POLLHUP and POLLERR are told unasked
  for (;;) {
    pollfd watched[] = {{channel, end, 0}, {process, POLLIN, 0}};
    const int ready = ::poll(watched, 2, process >= 0 ? -1 : 500);
    if (ready > 0 || ::getppid() != parent) ::_exit(0);
  }
}

}  // namespace

void end_with_parent(pid_t parent, int channel) {
  const int process = open_process(parent);
  // Opened first, asked then: a number that another process has by now is not that of this one's parent.
  if (::getppid() != parent) ::_exit(0);
  start_quiet_thread([=] { watch(parent, channel, process); }).detach();
}

}  // namespace kiln::worker
