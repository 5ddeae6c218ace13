// A hit in the process's own tier, while nothing else runs and while another thread compiles: no hit may wait for a
// compile. Usage: hit_while_compiling [rounds]
#include "measure.hpp"
#include "raw_driver.hpp"
#include "workloads.hpp"

#include <kiln/kiln.hpp>

#include <array>
#include <atomic>
#include <thread>

using namespace kiln::bench;

namespace {

/// One request that is known, with its hits' times.
struct Known {
  const char* name;
  kiln::CompileOptions options;
  std::vector<double> quiet = {}, busy = {};

  void hit(std::vector<double>& times) const {
    bool from_cache = false;
    times.push_back(nanoseconds([&] { from_cache = kiln::compile(workloads[0].source, options).from_cache(); }));
    if (!from_cache) std::fprintf(stderr, "a known text was compiled again\n"), std::exit(1);
  }
};

void print(const char* name, const char* when, std::vector<double>& times) {
  std::sort(times.begin(), times.end());
  const auto at = [&](double part) {
    return times[static_cast<std::size_t>(part * static_cast<double>(times.size() - 1))] / 1e3;
  };
  std::printf("%-24s %-33s median %.2f us, 99 %% %.2f us, longest %.0f us of %zu hits\n", name, when, at(0.5), at(0.99),
              at(1), times.size());
}

}  // namespace

int main(int argc, char** argv) try {
  const int rounds = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 5;
  constexpr int quiet_hits = 50'000;
  const ScratchFolder scratch;
  const bool has_context = make_context();
  const auto options = kiln::CompileOptions{}.with_caching({scratch.path()});
  std::array<Known, 2> known = {{{"architecture given:", options.with_arch("sm_90")},
                                 {has_context ? "the device's:" : "none, and no driver:", options}}};
  for (const Known& one : known) kiln::compile(workloads[0].source, one.options);
  std::vector<double> compiles;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < quiet_hits; ++i)
      for (Known& one : known) one.hit(one.quiet);
    std::atomic<bool> compiling{false}, done{false};
    std::thread compiler([&] {
      // Another text each round, which is compiled and kept.
      const std::string source = workloads[2].source + "\n// " + std::to_string(round);
      compiling = true;
      compiles.push_back(nanoseconds([&] { kiln::compile(source, options); }) / 1e6);
      done = true;
    });
    while (!compiling) std::this_thread::yield();
    while (!done)
      for (Known& one : known) one.hit(one.busy);
    compiler.join();
  }
  for (Known& one : known) {
    print(one.name, "nothing else runs", one.quiet);
    print(one.name, "another thread compiles CUB", one.busy);
  }
  std::printf("the compiles took %s ms each\n", quartiles(compiles).c_str());
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "hit_while_compiling: %s\n", error.what());
  return 1;
}
