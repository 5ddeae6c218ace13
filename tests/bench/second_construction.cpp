// The same SourceModule again in one process, while an equal one lives and where none does.
// Usage: second_construction [repeats]
#include "measure.hpp"
#include "workloads.hpp"

#include <kiln/kiln.hpp>

using namespace kiln::bench;

namespace {

double median_construction(const std::string& source, int repeats) {
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) times.push_back(nanoseconds([&] { kiln::SourceModule module(source); }));
  return median(times) / 1e3;
}

void measure(const char* name, const std::string& source, int repeats) {
  double alive = 0;
  {
    const kiln::SourceModule first(source);
    alive = median_construction(source, repeats);
  }
  const double not_alive = median_construction(source, repeats);
  std::printf("%-16s %zu bytes of source: %.2f us, %.2f us where none is alive\n", name, source.size(), alive,
              not_alive);
}

}  // namespace

int main(int argc, char** argv) try {
  const int repeats = argc > 1 ? std::atoi(argv[1]) : 2000;
  const ScratchFolder scratch;
  ::setenv("KILN_CACHE_DIR", scratch.path().c_str(), 1);
  if (kiln::Device::count() == 0) std::puts("(no device: constructions compile and do not load)");
  for (const Workload& workload : workloads) measure(workload.name, workload.source, repeats);
  std::string large = workloads[0].source + "\n// ";
  large.resize(4096, 'x');
  measure("W1 with 4 KB", large, repeats);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "second_construction: %s\n", error.what());
  return 1;
}
