// Compares what the cache serves with what a compile makes, after each of many changes to trees of headers.
#include "arguments.hpp"
#include "closed_holes.hpp"
#include "generator.hpp"
#include "processes.hpp"
#include "replay.hpp"
#include "shrink.hpp"

#include "scratch_folder.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"
#include "toolkit/locate/nvcc.hpp"

#include <kiln/compile.hpp>
#include <kiln/log.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln::oracle {

namespace {

constexpr auto shrink_time = std::chrono::seconds(100);
constexpr std::size_t scenarios_of_a_process = 10;
constexpr unsigned longest = 300;  // seconds of a scenario
constexpr int skipped = 77;

/// What all processes together did.
struct Sum {
  std::atomic<std::size_t> scenarios, asked, from_cache, failed, precompiled;

  void add(const Tally& tally) {
    scenarios += 1;
    asked += tally.asked;
    from_cache += tally.from_cache;
    failed += tally.failed;
    precompiled += tally.precompiled;
  }
};

Sum& shared_sum() {
  void* memory = ::mmap(nullptr, sizeof(Sum), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return *new (memory) Sum();
}

/// The first line that differs, from both.
std::string differing_lines(const std::string& served, const std::string& fresh) {
  std::size_t at = 0;
  while (at < served.size() && at < fresh.size() && served[at] == fresh[at]) ++at;
  const auto line = [at](const std::string& text) {
    if (text.empty()) return std::string("(no code: the compile fails)");
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    return begin < text.size() ? text.substr(begin, text.find('\n', begin) - begin) : std::string("(the end)");
  };
  return "  served: " + line(served) + "\n  fresh:  " + line(fresh) + "\n";
}

void report(const Scenario& scenario, const Difference& found) {
  ::alarm(0);
  std::printf("scenario %llu, step %zu: the %s serves what a compile does not make. Making it shorter\n",
              static_cast<unsigned long long>(scenario.seed), found.step, found.served_by.c_str());
  std::fflush(stdout);
  const Scenario shortest = shrink(scenario, found, shrink_time);
  Tally ignored;
  const auto again = replay(shortest, ignored);
  std::printf("%s%s%s", describe(shortest).c_str(), again ? "" : "  (did not happen again)\n",
              differing_lines(again ? again->served : found.served, again ? again->fresh : found.fresh).c_str());
}

bool knows_has_include_next(Backend backend) {
  return backend == Backend::nvcc || NvrtcLibrary::get().version_number() < std::pair(13, 5);
}

std::array<char, 64> too_long = {};

/// Ends this process, and says in which scenario, where that takes too long.
void limit_time(std::uint64_t seed) {
  std::snprintf(too_long.data(), too_long.size(), "scenario %llu takes too long\n",
                static_cast<unsigned long long>(seed));
  std::signal(SIGALRM, [](int) {
    if (::write(STDOUT_FILENO, too_long.data(), std::strlen(too_long.data())) >= 0) ::_exit(1);
  });
  ::alarm(longest);
}

class Run {
 public:
  explicit Run(const Arguments& arguments)
      : arguments_(arguments), cache_(arguments.shares ? scratch_ / "cache" : "") {}

  bool closed_holes_are_closed(bool is_nobody) const {
    bool good = true;
    for (ClosedHole& hole : closed_holes()) {
      if (hole.scenario.setup.backend != arguments_.backend) continue;
      if (hole.needs_rights && !is_nobody) {
        std::printf("skipped, as root may read everything: %s\n", hole.cause.c_str());
        continue;
      }
      // What tells the time is another code at each compile.
      hole.scenario.setup.precompiles = arguments_.precompiles && hole.cause.find("__TIME__") == std::string::npos;
      good &= in_process([&] {
        Tally tally;
        const bool open = replay(hole.scenario, tally).has_value();
        if (open) std::printf("open again: %s\n", hole.cause.c_str());
        return !open;
      });
    }
    return good;
  }

  bool scenarios_are_right() {
    const auto begin = std::chrono::steady_clock::now();
    const auto goes_on = [&](std::size_t batch) {
      if (arguments_.seconds == 0) return batch * scenarios_of_a_process < arguments_.scenarios;
      return std::chrono::steady_clock::now() - begin < std::chrono::seconds(arguments_.seconds);
    };
    const bool good = in_processes(arguments_.jobs, goes_on, [this](std::size_t batch) { return replay_batch(batch); });
    std::printf("%zu scenarios: asked %zu times, %zu from the cache, %zu compiles failed\n", sum_.scenarios.load(),
                sum_.asked.load(), sum_.from_cache.load(), sum_.failed.load());
    // An oracle that is never served anything is blind.
    const bool sees_cache = sum_.from_cache * 10 >= sum_.asked;
    if (!sees_cache) std::printf("too few from the cache\n");
    if (!arguments_.precompiles) return good && sees_cache;
    std::printf("%zu compiles used precompiled headers\n", sum_.precompiled.load());
    return good && sees_cache && sum_.precompiled * 20 >= sum_.asked;
  }

 private:
  bool replay_batch(std::size_t batch) {
    for (std::size_t i = 0; i < scenarios_of_a_process; ++i) {
      const std::size_t number = batch * scenarios_of_a_process + i;
      if (arguments_.seconds == 0 && number >= arguments_.scenarios) break;
      limit_time(arguments_.seed + number);
      Scenario scenario =
          Generator(arguments_.seed + number, arguments_.backend, knows_next_).generate(arguments_.steps);
      scenario.setup.precompiles = arguments_.precompiles;
      Tally tally;
      const auto difference = replay(scenario, tally, cache_);
      sum_.add(tally);
      if (!difference) continue;
      report(scenario, *difference);
      return false;
    }
    return true;
  }

  const Arguments arguments_;
  const test::ScratchFolder scratch_;
  const std::filesystem::path cache_;
  const bool knows_next_ = knows_has_include_next(arguments_.backend);
  Sum& sum_ = shared_sum();
};

bool compiles(Backend backend) {
  return !compile("__global__ void k() {}", CompileOptions{}.with_cache(false).with_backend(backend).with_arch("sm_80"))
              .bytes()
              .empty();
}

int run(const Arguments& arguments) {
  if (arguments.backend == Backend::nvcc && !look_for_nvcc("")) {
    std::puts("skipped: no nvcc on this machine");
    return skipped;
  }
  const bool is_nobody = become_nobody([&] { return compiles(arguments.backend); });
  Run run(arguments);
  const bool closed = run.closed_holes_are_closed(is_nobody);
  std::printf("scenarios from seed %llu on\n", static_cast<unsigned long long>(arguments.seed));
  return run.scenarios_are_right() && closed ? 0 : 1;
}

}  // namespace

}  // namespace kiln::oracle

int main(int count, char** words) {
  for (const char* name : {"KILN_LOG", "KILN_CACHE_READ_ONLY_DIRS", "KILN_DISABLE_CACHE", "PYCUDA_DISABLE_CACHE",
                           "KILN_CACHE_TRUSTED_OWNERS", "KILN_DEFAULT_OPTIONS", "KILN_BACKEND", "KILN_ARCH", "CPATH"})
    ::unsetenv(name);
  ::umask(022);
  kiln::set_log_handler([](kiln::LogLevel, const std::string&) {});
  const auto arguments = kiln::oracle::read_arguments(count, words);
  return arguments ? kiln::oracle::run(*arguments) : 2;
}
