// Sixteen sources that include CUB, none of them known to any cache: by bare NVRTC one after another in this process,
// and by compile_all. Usage: compile_all [rounds] [jobs]
#include "bare_nvrtc.hpp"
#include "measure.hpp"
#include "workloads.hpp"

#include <kiln/kiln.hpp>

using namespace kiln::bench;

namespace {

constexpr int sources = 16;

/// Each differs a little from the others, and from those of other rounds.
std::string source(int round, int number) {
  std::string text = workloads[2].source;
  const std::string block = "128>";
  text.replace(text.find(block), block.size(), std::to_string(32 * (number % 8 + 1)) + ">");
  return text + "\n__device__ int variant = " + std::to_string(round * sources + number) + ";\n";
}

double bare_seconds(int round, const std::vector<std::string>& options) {
  const kiln::NvrtcLibrary& nvrtc = kiln::NvrtcLibrary::get();
  return nanoseconds([&] {
           for (int i = 0; i < sources; ++i) compile_bare(nvrtc, source(round, i), options);
         }) /
         1e9;
}

double kiln_seconds(int round, unsigned jobs) {
  const ScratchFolder scratch;
  std::vector<kiln::CompileRequest> requests;
  for (int i = 0; i < sources; ++i)
    requests.push_back({source(round, i), kiln::CompileOptions{}.with_caching({scratch.path()})});
  std::vector<kiln::CompileResult> results;
  const double seconds = nanoseconds([&] { results = kiln::compile_all(requests, {}, jobs); }) / 1e9;
  for (const kiln::CompileResult& result : results)
    if (result.get().from_cache()) std::fprintf(stderr, "a cold compile was served from the cache\n"), std::exit(1);
  if (kiln::Cache(scratch.path()).stats().stores != sources) std::fprintf(stderr, "not all was stored\n"), std::exit(1);
  return seconds;
}

}  // namespace

int main(int argc, char** argv) try {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 2;
  const auto jobs = static_cast<unsigned>(argc > 2 ? std::atoi(argv[2]) : 0);
  const std::vector<std::string> options = options_of(source(0, 0));
  std::vector<double> ratios;
  for (int round = 0; round < rounds; ++round) {
    const double bare = bare_seconds(round, options);
    const double kiln = kiln_seconds(round, jobs);
    ratios.push_back(bare / kiln);
    std::printf("%d sources with CUB: bare %.2f s, compile_all %.2f s, %.2fx faster\n", sources, bare, kiln,
                bare / kiln);
    std::fflush(stdout);
  }
  std::printf("median %.2fx faster\n", median(ratios));
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "compile_all: %s\n", error.what());
  return 1;
}
