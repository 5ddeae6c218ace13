// A library that a user preloads into all programs: it writes, and has a thread.
#include <unistd.h>

#include <cstdio>
#include <thread>

__attribute__((constructor)) static void start() {
  std::puts("preloaded");
  std::fputs("preloaded\n", stderr);
  std::fflush(stdout);
  std::thread([] {
    for (;;) ::pause();
  }).detach();
}
