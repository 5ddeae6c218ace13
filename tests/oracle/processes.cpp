#include "processes.hpp"

#include <cstddef>
#include <cstdio>
#include <exception>

#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kiln::oracle {

namespace {

constexpr unsigned nobody = 65534;

pid_t start(const std::function<bool()>& body) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child != 0) return child;
  bool good = false;
  try {
    good = body();
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
  }
  std::fflush(nullptr);
  ::_exit(good ? 0 : 1);
}

/// Of any child.
bool wait_for_one() {
  int status = 0;
  if (::wait(&status) < 0) return false;
  if (WIFSIGNALED(status)) std::printf("a process died of signal %d\n", WTERMSIG(status));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool drop_rights() { return ::setgroups(0, nullptr) == 0 && ::setgid(nobody) == 0 && ::setuid(nobody) == 0; }

}  // namespace

bool in_process(const std::function<bool()>& body) { return start(body) > 0 && wait_for_one(); }

bool in_processes(std::size_t jobs, const std::function<bool(std::size_t)>& goes_on,
                  const std::function<bool(std::size_t)>& bodies) {
  bool good = true;
  std::size_t running = 0;
  for (std::size_t next = 0; (good && goes_on(next)) || running > 0;) {
    if (good && running < jobs && goes_on(next)) {
      const std::size_t number = next++;
      if (start([&] { return bodies(number); }) < 0) return false;
      ++running;
    } else {
      good = wait_for_one() && good;
      --running;
    }
  }
  return good;
}

bool become_nobody(const std::function<bool()>& works) {
  if (::geteuid() != 0) return true;
  return in_process([&] { return drop_rights() && works(); }) && drop_rights();
}

}  // namespace kiln::oracle
