// A first compile in a new process, from its start to code in its hands: by a process that opens NVRTC and compiles
// itself, and by Kiln, with an empty cache and without one. One process of each in turn, with the same options.
// Usage: first_compile [rounds]
#include "bare_nvrtc.hpp"
#include "compile/worker/worker_pool.hpp"
#include "measure.hpp"
#include "workloads.hpp"

#include <kiln/kiln.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>

using namespace kiln::bench;

namespace {

/// What a new process does: its arguments are the mode, the workload's number, NVRTC's path and the options. It writes
/// when it had the code; the clock is one for all processes.
int child(const std::vector<std::string>& arguments) {
  const std::string& mode = arguments[0];
  const std::string& source = workloads.at(std::stoul(arguments[1])).source;
  const std::vector<std::string> options(arguments.begin() + 3, arguments.end());
  if (mode == "--bare") {
    compile_bare(kiln::NvrtcLibrary::get(arguments[2]), source, options);
  } else {
    const auto wish = kiln::CompileOptions{}.with_arch(options.at(0)).with_cache(mode == "--cached");
    if (kiln::compile(source, wish).from_cache()) std::fprintf(stderr, "served from the cache\n"), std::exit(1);
  }
  const Clock::time_point done = Clock::now();
  return ::write(STDOUT_FILENO, &done, sizeof done) == sizeof done ? 0 : 1;
}

/// Of a new process, with a new cache folder. It and its worker have ended when this returns.
double milliseconds(std::vector<std::string> arguments) {
  const ScratchFolder scratch;
  ::setenv("KILN_CACHE_DIR", (scratch.path() / "cache").c_str(), 1);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) std::perror("pipe"), std::exit(1);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::vector<char*> pointers = {const_cast<char*>("first_compile")};
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t pid = 0;
  Clock::time_point done;
  const auto start = Clock::now();
  const int error = ::posix_spawn(&pid, "/proc/self/exe", &actions, nullptr, pointers.data(), environ);
  ::close(ends[1]);
  if (error != 0 || ::read(ends[0], &done, sizeof done) != sizeof done)
    std::fprintf(stderr, "%s failed\n", arguments[0].c_str()), std::exit(1);
  ::close(ends[0]);
  posix_spawn_file_actions_destroy(&actions);
  while (::wait(nullptr) > 0) {
  }
  return std::chrono::duration<double, std::milli>(done - start).count();
}

struct Side {
  const char* name;
  std::vector<std::string> arguments;
  std::vector<double> times = {}, ratios = {};
};

void measure(std::size_t index, int rounds) {
  const std::vector<std::string> options = options_of(workloads[index].source);
  kiln::WorkerPool::get().clear();  // its worker would be waited for too
  std::string arch;
  for (const std::string& option : options)
    if (option.compare(0, 6, "-arch=") == 0) arch = option.substr(6);
  const std::string number = std::to_string(index);
  std::vector<std::string> bare = {"--bare", number, kiln::NvrtcLibrary::get().path};
  bare.insert(bare.end(), options.begin(), options.end());
  std::array<Side, 3> sides = {{{"bare NVRTC", bare},
                                {"Kiln, empty cache", {"--cached", number, "", arch}},
                                {"Kiln without a cache", {"--uncached", number, "", arch}}}};
  for (int round = 0; round <= rounds; ++round) {
    std::array<double, 3> times = {};
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const std::size_t side = (i + static_cast<std::size_t>(round)) % sides.size();  // each goes first in turn
      times.at(side) = milliseconds(sides.at(side).arguments);
    }
    if (round == 0) continue;  // the first one warms the file system
    for (std::size_t i = 0; i < sides.size(); ++i) {
      sides.at(i).times.push_back(times.at(i));
      sides.at(i).ratios.push_back(times.at(i) / times[0]);
    }
  }
  std::printf("%s\n", workloads[index].name);
  for (const Side& side : sides)
    std::printf("  %-22s %s ms, %.3fx; by rounds %s\n", side.name, quartiles(side.times).c_str(),
                median(side.times) / median(sides[0].times), quartiles(side.ratios).c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc > 4 && std::string(argv[1]).substr(0, 2) == "--") return child({argv + 1, argv + argc});
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // workers of the processes become this one's children, to be waited for
  const int rounds = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 15;
  for (std::size_t index = 0; index < workloads.size(); ++index) measure(index, rounds);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "first_compile: %s\n", error.what());
  return 1;
}
