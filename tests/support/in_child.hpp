// A piece of a test in a child of fork.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

namespace kiln::test {

/// Runs `body` in a child of fork, which exits with what it returns and runs no exit handler. The exit status, or
/// 128 + signal; a child that hangs is killed by SIGALRM (142).
template <class Body>
int in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    _exit(body());
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace kiln::test
