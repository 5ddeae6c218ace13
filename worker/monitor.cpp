#include "worker/monitor.hpp"

#include "base/temporary_folder.hpp"
#include "compile/worker/worker_channel.hpp"
#include "compile/worker/worker_end.hpp"
#include "worker/background/background_process.hpp"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace kiln::worker {

namespace {

bool is_process_descriptor(int descriptor) {
  struct stat status = {};
  return ::fstat(descriptor, &status) == 0 && !S_ISCHR(status.st_mode);
}

/// Nothing where the system does not list them.
std::optional<std::vector<pid_t>> children() {
  std::ifstream list("/proc/self/task/" + std::to_string(::getpid()) + "/children");
  if (!list) return std::nullopt;
  std::vector<pid_t> all;
  for (pid_t one; list >> one;) all.push_back(one);
  return all;
}

class Monitor {
 public:
  Monitor(pid_t compiler, pid_t host, int signals) : compiler_(compiler), host_(host), signals_(signals) {}

  /// Until the compiler has ended, or is of no use any more.
  void watch() {
    const bool has_descriptor = is_process_descriptor(worker_host);
    while (!reap()) {
      pollfd watched[] = {
          {worker_control, POLLRDHUP, 0}, {signals_, POLLIN, 0}, {has_descriptor ? worker_host : -1, POLLIN, 0}};
      ::poll(watched, 3, has_descriptor ? -1 : 500);
      if (watched[0].revents != 0 || watched[2].revents != 0) return;
      if (!has_descriptor && ::kill(host_, 0) != 0 && errno == ESRCH) return;
      if (watched[1].revents != 0 && !is_child_signal()) return;
    }
  }

  /// What loses its parent becomes a child of this process, and is ended in its turn.
  void end_all() {
    if (!has_ended_) ::kill(-compiler_, SIGKILL);
    for (auto left = children_to_end(); left && !left->empty(); left = children_to_end()) {
      for (const pid_t child : *left) {
        ::kill(-child, SIGKILL);
        ::kill(child, SIGKILL);
      }
      note_end(0);
    }
    while (!has_ended_ && note_end(0)) {
    }
  }

  const ExitStatus& status() const { return status_; }

 private:
  /// All but those that work for programs to come: they end by themselves. Where the host is the
  /// parent of orphans, they would be the host's children.
  std::optional<std::vector<pid_t>> children_to_end() const {
    auto all = children();
    if (all && ::getppid() != host_) std::erase_if(*all, is_in_background);
    return all;
  }
  bool is_child_signal() const {
    signalfd_siginfo taken = {};
    return ::read(signals_, &taken, sizeof taken) == sizeof taken && taken.ssi_signo == SIGCHLD;
  }
  /// Takes the ends of all that have ended; whether the compiler is among them.
  bool reap() {
    while (!has_ended_ && note_end(WNOHANG)) {
    }
    return has_ended_;
  }
  bool note_end(int options) {
    int waited = 0;
    const pid_t child = ::waitpid(-1, &waited, options);
    if (child == compiler_) {
      has_ended_ = true;
      status_ = exit_status(waited);
    }
    return child > 0 || (child < 0 && errno == EINTR);
  }

  pid_t compiler_;
  pid_t host_;
  int signals_;
  bool has_ended_ = false;
  ExitStatus status_;
};

void report(const ExitStatus& status) {
  const auto wait = [](short events) {
    pollfd control = {worker_control, events, 0};
    ::poll(&control, 1, 1000);
  };
  send_message(worker_control, Message::Type::end, encode_end(status), wait);
}

/// Of the ends of children, and of what asks this process to end.
sigset_t watched_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&set, signal);
  return set;
}

void become_compiler(pid_t monitor, int signals) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != monitor) ::_exit(1);
  for (const int descriptor : {worker_control, worker_host, signals}) ::close(descriptor);
  const sigset_t set = watched_signals();
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace

void fork_compiler(pid_t host) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const sigset_t set = watched_signals();
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  const int signals = ::signalfd(-1, &set, SFD_CLOEXEC);
  std::optional<TemporaryFolder> folder(std::in_place, temporary_files(), "worker");
  if (folder->error() == 0) ::setenv("TMPDIR", folder->path().c_str(), 1);

  share_background_processes();
  const pid_t self = ::getpid();
  const pid_t compiler = ::fork();
  if (compiler == 0) return become_compiler(self, signals);
  if (compiler < 0) {
    std::fprintf(stderr, "kiln-worker: cannot start a process: %s\n", std::strerror(errno));
    folder.reset();
    ::_exit(1);
  }
  ::setpgid(compiler, compiler);  // both do, so that it is done whichever runs first
  ::close(worker_channel);
  Monitor monitor(compiler, host, signals);
  monitor.watch();
  monitor.end_all();
  folder.reset();
  report(monitor.status());
  ::_exit(0);
}

}  // namespace kiln::worker
