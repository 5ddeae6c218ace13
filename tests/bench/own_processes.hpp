// New processes of this program, which measure one thing each and report it.
#pragma once

#include "measure.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace kiln::bench {

/// What such a process writes to its standard output.
struct Report {
  Clock::time_point done;  // when it had its code; the clock is one for all processes
  double first = 0;        // what else it measured, in milliseconds
  double second = 0;
};

inline int send(const Report& report) {
  return ::write(STDOUT_FILENO, &report, sizeof report) == sizeof report ? 0 : 1;
}

inline double milliseconds_between(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - start).count();
}

/// One of them, from its start on. Processes that it leaves behind become children of this one (adopt_orphans()).
class OwnProcess {
 public:
  explicit OwnProcess(std::vector<std::string> arguments) : mode_(arguments.at(0)) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) std::perror("pipe"), std::exit(1);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::vector<char*> pointers = {const_cast<char*>("bench")};
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    start_ = Clock::now();
    const int error = ::posix_spawn(&pid_, "/proc/self/exe", &actions, nullptr, pointers.data(), environ);
    if (error != 0) fail();
    ::close(ends[1]);
    posix_spawn_file_actions_destroy(&actions);
    reports_ = ends[0];
  }
  ~OwnProcess() { ::close(reports_); }
  OwnProcess(const OwnProcess&) = delete;
  OwnProcess& operator=(const OwnProcess&) = delete;

  /// Waits for its report and its end; those of its children are not waited for.
  void finish() {
    int status = 0;
    if (::read(reports_, &report_, sizeof report_) != sizeof report_ || ::waitpid(pid_, &status, 0) != pid_ ||
        status != 0)
      fail();
    end_ = Clock::now();
  }
  const Report& report() const { return report_; }
  /// In milliseconds, until it had ended.
  double wall() const { return milliseconds_between(start_, end_); }
  /// In milliseconds, until it had its code.
  double to_code() const { return milliseconds_between(start_, report_.done); }

 private:
  [[noreturn]] void fail() const {
    std::fprintf(stderr, "a process that does %s failed\n", mode_.c_str());
    std::exit(1);
  }

  std::string mode_;
  pid_t pid_ = 0;
  int reports_ = -1;
  Clock::time_point start_, end_;
  Report report_;
};

/// To be called once, before the first of them.
inline void adopt_orphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

/// Returns when all of them, and all that they started, have ended: what works behind one measurement must not disturb
/// the next one.
inline void wait_for_descendants() {
  while (::wait(nullptr) > 0) {
  }
}

}  // namespace kiln::bench
