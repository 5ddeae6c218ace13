// kiln-worker: compiles for another process, which started it, until that one ends, hangs up, or has no job for some
// time. It writes no file but in a temporary folder of its own: Kiln's cache is the other process's business.
// Usage: kiln-worker HOST MILLISECONDS, with the descriptors of worker_channel.hpp.
#include "compile/compiler/large_stack.hpp"
#include "worker/compiler_memory.hpp"
#include "worker/monitor.hpp"
#include "worker/serve.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <exception>
#include <optional>
#include <string_view>
#include <system_error>

namespace {

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto host = argc == 3 ? number(argv[1]) : std::nullopt;
  const auto idle = argc == 3 ? number(argv[2]) : std::nullopt;
  if (!host || !idle) {
    std::fprintf(stderr, "kiln-worker compiles for programs that use Kiln, which start it; it is of no use by hand\n");
    return 2;
  }
  const rlimit no_core_files = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core_files);
  ::prctl(PR_SET_NAME, "kiln-worker");
  kiln::worker::fork_compiler(*host);
  kiln::prepare_allocator();
  const std::chrono::milliseconds longest_idle(*idle);
  // One thread for all jobs: to map a stack for each would wait for populate_memory(). What it starts has no signal
  // blocked.
  kiln::run_on_large_stack([longest_idle] {
    sigset_t none;
    ::sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
    // No exit handlers: NVRTC's have nothing to do.
    ::_exit(kiln::worker::greet(longest_idle) ? kiln::worker::serve(longest_idle) : 2);
  });
} catch (const std::exception& error) {
  std::fprintf(stderr, "kiln-worker: %s\n", error.what());
  ::_exit(1);
}
