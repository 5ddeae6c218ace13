// A process started as nobody's child: posix_spawn, no shell, no fork of a large parent.
#pragma once

#include <kiln/error.hpp>

#include <sys/types.h>

#include <string>
#include <vector>

namespace kiln {

struct SpawnRequest {
  std::vector<std::string> arguments;  // [0] is the program, an absolute path
  // What the process has as 0, 1 and 2; -1 is the null device. They stay the caller's.
  int input = -1;
  int output = -1;
  int errors = -1;
  // What it has as 3, 4 and so on, and hands on to its children. They stay the caller's, too.
  std::vector<int> further{};
  std::string program{};  // an absolute path, where arguments[0] is only a name
};

/// A program that was not started.
class NotStarted : public Error {
 public:
  NotStarted(const std::string& text, int error) : Error(text), error_(error) {}
  /// The errno why.
  int error() const noexcept { return error_; }

 private:
  int error_;
};

/// Starts a program that is nobody's child: what this process does with its children (wait, a handler of SIGCHLD) does
/// not see it, and this process need not reap it. Its parent is the init process, or another that adopts orphans
/// (PR_SET_CHILD_SUBREAPER): where that is this process, it is a child all the same. It has this process's environment
/// and working folder, leads a process group of its own, and has default signal handling and no other descriptor of
/// this process, whatever the flags of those are. Installs no handler and takes no lock. Throws NotStarted that names
/// the program and the reason where it does not start: then there is no process. Thread-safe.
pid_t spawn_orphan(const SpawnRequest& request);

/// How a process ended.
struct ExitStatus {
  int code = 0;    // of exit, where no signal ended it
  int signal = 0;  // that ended it
};

/// What waitpid() says.
ExitStatus exit_status(int waited);

/// "signal 11 (SIGSEGV)", and for SIGKILL its usual cause.
std::string signal_text(int signal);

}  // namespace kiln
