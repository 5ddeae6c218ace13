// Stands in for kiln-worker. Waits for a job, writes its process number into the file KILN_FAKE_LOG, and does what
// KILN_FAKE_WORKER says.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

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

}  // namespace

int main(int, char** argv) {
  pollfd channel = {0, POLLIN, 0};
  ::poll(&channel, 1, -1);
  if ((channel.revents & POLLIN) == 0) return 0;
  const bool is_first = ::access(std::getenv("KILN_FAKE_FIRST"), F_OK) != 0;
  ::close(::open(std::getenv("KILN_FAKE_FIRST"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  log_job(std::getenv("KILN_FAKE_LOG"));
  const std::string mode = std::getenv("KILN_FAKE_WORKER");
  if (mode == "hang") hang();
  if (mode == "crash" || (mode == "crash once" && is_first)) crash();
  if (mode == "exit") return 7;
  if (mode == "close") {
    ::close(0);
    hang();
  }
  if (mode == "garbage") {
    const std::string text("\x03\0\0\0\0\0\0\0\x02xyz", 12);
    if (::send(0, text.data(), text.size(), 0) < 0) return 1;
    hang();
  }
  ::execv(KILN_REAL_WORKER, argv);
  return 1;
}
