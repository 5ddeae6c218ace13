// A child process started: posix_spawn, no shell, no fork of a large parent.
#pragma once

#include <kiln/error.hpp>

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace kiln {

struct SpawnRequest {
  std::vector<std::string> arguments;                     // [0] is the program, an absolute path
  std::optional<std::vector<std::string>> environment{};  // "NAME=value"; nothing: this process's
  std::string working_folder{};                           // empty: this process's
  // What the child has as 0, 1 and 2; -1 is the null device. They stay the caller's.
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

/// Starts a child at the head of a process group of its own, with default signal handling and no other descriptor of
/// this process, whatever the flags of those are. The caller reaps it. Installs no handler and takes no lock. Throws
/// NotStarted that names the program and the reason where it does not start: then there is no child. Thread-safe.
pid_t spawn(const SpawnRequest& request);

/// The same for a program that is nobody's child: what this process does with its children (wait, a handler of SIGCHLD)
/// does not meet it, and nobody here reaps it. Its parent is the init process, or whoever else adopts orphans
/// (PR_SET_CHILD_SUBREAPER): where that is this process, it is a child all the same.
pid_t spawn_orphan(const SpawnRequest& request);

/// How a child ended.
struct ExitStatus {
  int code = 0;          // of exit, where no signal ended it
  int signal = 0;        // that ended it
  bool unknown = false;  // this program ignores or reaps its children itself (ECHILD)
};

/// "signal 11 (SIGSEGV)", and for SIGKILL what is behind it in most cases.
std::string signal_text(int signal);

/// Waits for a child to end. Thread-safe.
ExitStatus wait_for(pid_t child);

}  // namespace kiln
