// What the process runner costs over a bare posix_spawn and waitpid of /bin/true, beside much resident memory.
// Usage: spawn [GiB of memory] [repeats]
#include "worker/process_runner.hpp"
#include "measure.hpp"

#include <cstring>
#include <stdexcept>

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>

using namespace kiln::bench;

extern "C" char** environ;

namespace {

const std::string program = "/bin/true";

/// Pages of 4 KiB, each touched: what makes fork() slow.
void touch_memory(std::size_t size) {
  if (size == 0) return;
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no memory of that size");
  ::madvise(memory, size, MADV_NOHUGEPAGE);
  std::memset(memory, 1, size);
}

void spawn_bare() {
  char* arguments[] = {const_cast<char*>(program.c_str()), nullptr};
  pid_t child = -1;
  if (::posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments, environ) != 0)
    throw std::runtime_error("cannot start " + program);
  int status = 0;
  ::waitpid(child, &status, 0);
}

}  // namespace

int main(int argc, char** argv) try {
  const double gib = argc > 1 ? std::atof(argv[1]) : 4;
  const int repeats = argc > 2 ? std::atoi(argv[2]) : 300;
  touch_memory(static_cast<std::size_t>(gib * (1 << 30)));
  std::vector<double> bare, runner, over;
  for (int i = 0; i < repeats; ++i) {
    bare.push_back(nanoseconds(spawn_bare) / 1e6);
    runner.push_back(nanoseconds([] { kiln::ProcessRunner::real().run({{program}}); }) / 1e6);
    over.push_back(runner.back() - bare.back());
  }
  std::printf("beside %g GiB, ms: posix_spawn and waitpid %s, process runner %s, over %s\n", gib,
              quartiles(bare).c_str(), quartiles(runner).c_str(), quartiles(over).c_str());
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "spawn: %s\n", error.what());
  return 1;
}
