// A cold compile by bare NVRTC calls with Kiln's exact options and by Kiln, in turn; and by Kiln with the cache on, for
// the cost of the record of headers and the store. Usage: cold_compile [rounds]
#include "bare_nvrtc.hpp"
#include "measure.hpp"
#include "workloads.hpp"

#include <kiln/kiln.hpp>

using namespace kiln::bench;

namespace {

void measure(const Workload& workload, int rounds) {
  const ScratchFolder scratch;
  const kiln::NvrtcLibrary& nvrtc = kiln::NvrtcLibrary::get();
  const std::vector<std::string> options = options_of(workload.source);
  const auto uncached = kiln::CompileOptions{}.with_cache(false);
  const auto cached = kiln::CompileOptions{}.with_caching({scratch.path()});
  std::vector<double> bare_times, kiln_times, stored_times;
  for (int round = 0; round <= rounds; ++round) {
    // Another text each round, so that no tier of any cache knows it.
    const std::string source = workload.source + "\n// " + std::to_string(round);
    const double bare = nanoseconds([&] { compile_bare(nvrtc, source, options); }) / 1e6;
    const double kiln = nanoseconds([&] { kiln::compile(source, uncached); }) / 1e6;
    bool from_cache = false;
    const double stored = nanoseconds([&] { from_cache = kiln::compile(source, cached).from_cache(); }) / 1e6;
    if (from_cache) std::fprintf(stderr, "a cold compile was served from the cache\n"), std::exit(1);
    if (round == 0) continue;  // the first one warms the library and the file system
    bare_times.push_back(bare);
    kiln_times.push_back(kiln);
    stored_times.push_back(stored);
  }
  const double bare = median(bare_times);
  std::printf("%-16s bare %.2f ms, kiln %.2f ms (%.3fx); with header list and store %.2f ms (%.3fx)\n", workload.name,
              bare, median(kiln_times), median(kiln_times) / bare, median(stored_times), median(stored_times) / bare);
}

}  // namespace

int main(int argc, char** argv) try {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 15;
  for (const std::string& option : options_of(workloads[0].source)) std::printf("%s ", option.c_str());
  std::printf("\n");
  for (const Workload& workload : workloads) measure(workload, rounds);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "cold_compile: %s\n", error.what());
  return 1;
}
