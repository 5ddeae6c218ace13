// A compute-bound kernel whose inner function is in another source: linked with link-time optimisation, and linked as
// PTX, each against the same code in one source. Times of the device, by events. Usage: lto_kernel [pairs]
#include "measure.hpp"
#include "raw_driver.hpp"

#include <kiln/kiln.hpp>

using namespace kiln::bench;

namespace {

const std::string step = R"(
extern "C" __device__ float step(float x, float y) {
  x = x * 1.0001f + y;
  y = y * 0.9999f - x * 0.5f;
  return x + y * 0.25f;
}
)";
const std::string loop = R"(
extern "C" __device__ float step(float x, float y);
extern "C" __global__ void work(float* out, int rounds) {
  float x = threadIdx.x, y = blockIdx.x;
  for (int i = 0; i < rounds; ++i) x = step(x, y * 0.001f);
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
)";
constexpr unsigned blocks = 1056;
constexpr unsigned threads = 256;
constexpr int rounds = 4000;

kiln::CodeObject linked(kiln::Target target, const std::filesystem::path& cache) {
  const auto options = kiln::CompileOptions{}.with_target(target).with_options({"-rdc=true"}).with_caching({cache});
  kiln::Linker linker({.caching = {cache}});
  return linker.add(kiln::compile(loop, options)).add(kiln::compile(step, options)).link();
}

/// Each goes first in every other pair, so that neither always meets the colder device.
void compare(const char* name, const kiln::Module& single, const kiln::Module& module, int pairs) {
  kiln::DeviceBuffer<float> out(std::size_t{blocks} * threads);
  kiln::DeviceBuffer<float> single_out(out.size());
  const kiln::Function one = single.get_function("work");
  const kiln::Function other = module.get_function("work");
  const kiln::LaunchConfig config{blocks, threads};
  std::vector<double> ratios, single_times, times;
  for (int pair = -3; pair < pairs; ++pair) {
    double single_time = 0;
    if (pair % 2 == 0) single_time = one.timed(config, single_out, rounds);
    const double time = other.timed(config, out, rounds);
    if (pair % 2 != 0) single_time = one.timed(config, single_out, rounds);
    if (pair < 0) continue;  // loads, and warms the device
    ratios.push_back(time / single_time);
    single_times.push_back(single_time * 1e6);
    times.push_back(time * 1e6);
  }
  const bool same = out.to_host() == single_out.to_host();
  std::printf("%-20s one source %.1f us, linked %.1f us, ratio of %d pairs %s, results %s\n", name,
              median(single_times), median(times), pairs, quartiles(ratios).c_str(), same ? "equal" : "DIFFER");
}

}  // namespace

int main(int argc, char** argv) try {
  const int pairs = argc > 1 ? std::atoi(argv[1]) : 201;
  if (!make_context()) {
    std::puts("lto_kernel: skipped, there is no driver with a device (KILN_DRIVER may name one)");
    return 0;
  }
  const ScratchFolder scratch;
  const kiln::SourceModule single(step + loop, kiln::CompileOptions{}.with_caching({scratch.path()}));
  compare("linked as LTO-IR", single, kiln::Module(linked(kiln::Target::ltoir, scratch.path())), pairs);
  compare("linked as PTX", single, kiln::Module(linked(kiln::Target::ptx, scratch.path())), pairs);
  return 0;
} catch (const kiln::Error& error) {
  std::fprintf(stderr, "lto_kernel: %s\n", error.what());
  return 1;
}
