// What a TunableKernel adds to a launch of a Function, whose configuration is made once or for each launch: the look-up
// of what was chosen for the problem's size, with one size again and again, and with 16 sizes in turn. On a GPU, or the
// emulator. Usage: tunable_launch [rounds]
#include "measure.hpp"

#include <kiln/kiln.hpp>

using namespace kiln::bench;

namespace {

constexpr int launches = 1000;  // few enough for the driver's queue

template <class Launch>
double nanoseconds_each(const Launch& launch) {
  kiln::synchronize();
  return nanoseconds([&] {
           for (int i = 0; i < launches; ++i) launch(i);
         }) /
         launches;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 201;
  kiln::TunableKernel tunable("__global__ void nothing(float*, int, int, int) {}", "nothing");
  tunable.tune("BLOCK", {32, 64}).block_size("BLOCK").grid_size("1");
  kiln::DeviceBuffer<float> memory(1);
  const kiln::Function function = tunable.function(1);
  const kiln::LaunchConfig config = tunable.launch_config(1);
  for (int size = 1; size <= 16; ++size) (void)tunable.function(size);
  std::vector<double> plain, configured, same, several;
  for (int round = 0; round < rounds; ++round) {
    plain.push_back(nanoseconds_each([&](int i) { function(config, memory, i, 2, 3); }));
    configured.push_back(nanoseconds_each([&](int i) { function({1, config.block}, memory, i, 2, 3); }));
    same.push_back(nanoseconds_each([&](int i) { tunable(1, memory, i, 2, 3); }));
    several.push_back(nanoseconds_each([&](int i) { tunable(1 + i % 16, memory, i, 2, 3); }));
  }
  kiln::synchronize();
  const double base = median(plain);
  std::printf(
      "Function %.1f ns, with a configuration made for each launch %+.1f ns; TunableKernel %+.1f ns, with 16 "
      "sizes in turn %+.1f ns; median of %d rounds\n",
      base, median(configured) - base, median(same) - base, median(several) - base, rounds);
}
