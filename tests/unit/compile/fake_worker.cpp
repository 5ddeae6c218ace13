// Stands in for kiln-worker: its monitor is the real one, its compiler waits for a job, writes its process number into
// the file KILN_FAKE_LOG, and does what KILN_FAKE_WORKER says.
#include "worker/monitor.hpp"
#include "worker/serve.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

void log_job(const char* path) {
  const int log = ::open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
  const std::string line = std::to_string(::getpid()) + "\n";
  if (log < 0 || ::write(log, line.data(), line.size()) < 0) std::perror(path);
  ::close(log);
}

void hang() {
  ::signal(SIGTERM, SIG_IGN);
  for (;;) ::pause();
}

[[noreturn]] void crash() {
  std::fprintf(stderr, "my last words\n");
  std::abort();
}

void greet_as_another() {
  const std::string text(
      "\x07\0\0\0\0\0\0\0\x05"
      "another",
      16);
  if (::send(0, text.data(), text.size(), 0) < 0) ::_exit(1);
  hang();
}

/// One child in the group, one with a group of its own, one that is a grandchild in a session of its own; each writes
/// its number into the log and hangs.
void hang_with_children() {
  for (int way = 0; way < 3; ++way) {
    if (::fork() != 0) continue;
    if (way == 1) ::setpgid(0, 0);
    if (way == 2 && (::setsid() < 0 || ::fork() != 0)) ::_exit(0);
    log_job(std::getenv("KILN_FAKE_LOG"));
    hang();
  }
  hang();
}

/// Once the first job is there.
void misbehave() {
  const bool is_first = ::access(std::getenv("KILN_FAKE_FIRST"), F_OK) != 0;
  ::close(::open(std::getenv("KILN_FAKE_FIRST"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  log_job(std::getenv("KILN_FAKE_LOG"));
  const std::string mode = std::getenv("KILN_FAKE_WORKER");
  if (mode == "hang") hang();
  if (mode == "crash" || (mode == "crash once" && is_first)) crash();
  if (mode == "exit") ::_exit(7);
  if (mode == "children") hang_with_children();
  if (mode == "close") {
    ::close(0);
    hang();
  }
  if (mode == "garbage") {
    const std::string text("\x03\0\0\0\0\0\0\0\x02xyz", 12);
    if (::send(0, text.data(), text.size(), 0) < 0) ::_exit(1);
    hang();
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  kiln::worker::fork_compiler(std::atoi(argv[1]));
  const std::chrono::milliseconds idle(std::atoi(argv[2]));
  const std::string mode = std::getenv("KILN_FAKE_WORKER");
  if (mode == "no start") ::_exit(1);
  if (mode == "silent") hang();
  if (mode == "other build") greet_as_another();
  if (!kiln::worker::greet(idle)) ::_exit(2);
  pollfd channel = {0, POLLIN, 0};
  ::poll(&channel, 1, static_cast<int>(idle.count()));
  if ((channel.revents & POLLIN) == 0) ::_exit(0);
  misbehave();
  ::_exit(kiln::worker::serve(idle));
}
