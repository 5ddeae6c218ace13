#include "base/child_process.hpp"

#include <cerrno>
#include <utility>

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kiln {

ChildProcess::ChildProcess(SpawnRequest request) {
  if (lifeline_.child_end() >= 0) request.further = {lifeline_.child_end()};
  pid_ = spawn(request);
  lifeline_.tie(pid_);
}

ChildProcess::~ChildProcess() {
  if (pid_ < 0) return;
  signal_group(SIGKILL);
  reap();
}

void ChildProcess::signal_group(int signal) const noexcept { ::kill(-pid_, signal); }

ExitStatus ChildProcess::reap() { return wait_for(std::exchange(pid_, -1)); }

bool ChildProcess::has_ended() const noexcept {
  siginfo_t info{};
  int result;
  do {
    result = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  } while (result != 0 && errno == EINTR);
  return result != 0 || info.si_pid == pid_;
}

OwnedDescriptor ChildProcess::end_event() const noexcept {
  return OwnedDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
}

}  // namespace kiln
