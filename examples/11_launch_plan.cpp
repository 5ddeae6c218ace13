// Kernels that always run one after the other: record the sequence once, replay it with new arguments by one call.
#include <kiln/kiln.hpp>

#include <cstdio>
#include <vector>

#include "find_device.hpp"

const char* const source = R"(
__global__ void scale(const float* x, float* y, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor * x[i];
}
__global__ void add(float* y, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += value;
})";

bool all_equal(const kiln::DeviceBuffer<float>& buffer, float value) {
  return buffer.to_host() == std::vector<float>(buffer.size(), value);
}

int main() {
  find_device();
  const kiln::SourceModule module(source);
  const kiln::Function scale = module.get_function("scale");
  const kiln::Function add = module.get_function("add");

  // What each replay brings is a parameter of the plan; everything else is recorded as it is. The arguments are checked
  // here, against the kernels.
  kiln::LaunchPlan plan;
  const auto x = plan.parameter<const float*>("x");
  const auto y = plan.parameter<float*>("y");
  const auto n = plan.parameter<int>("n");
  const kiln::LaunchConfig config{4, 256};
  plan.add(scale, config, x, y, 2.0F, n);
  for (int i = 0; i < 7; ++i) plan.add(add, config, y, 1.0F, n);
  std::printf("the plan has %zu launches\n", plan.size());

  if (kiln::Device::count() == 0) {
    std::puts("There is no GPU here, so the plan was recorded and not replayed.");
    return 0;
  }

  // A replay is one call, and on the device one CUDA graph: only what changed since the last replay is set anew.
  const int size = 1000;
  const kiln::DeviceBuffer<float> ones(std::vector<float>(size, 1.0F));
  const kiln::DeviceBuffer<float> tens(std::vector<float>(size, 10.0F));
  kiln::DeviceBuffer<float> first{std::vector<float>(size)};
  kiln::DeviceBuffer<float> second{std::vector<float>(size)};
  const kiln::Stream stream;
  plan(stream, ones, first, size);
  plan(stream, tens, second, size);
  stream.synchronize();
  const bool right = all_equal(first, 9.0F) && all_equal(second, 27.0F);
  std::puts(right ? "replayed twice: the results are right" : "wrong results");

  // How long the sequence takes, as a plan and launch by launch.
  kiln::BenchmarkOptions options;
  options.stream = stream;
  const kiln::BenchmarkResult replayed = kiln::benchmark([&](CUstream s) { plan(s, ones, first, size); }, options);
  const kiln::BenchmarkResult launched = kiln::benchmark(
      [&](CUstream s) {
        scale({4, 256, 0, s}, ones, second, 2.0F, size);
        for (int i = 0; i < 7; ++i) add({4, 256, 0, s}, second, 1.0F, size);
      },
      options);
  std::printf("replayed %.1f us, launched one by one %.1f us (medians of %zu and %zu repetitions)\n",
              replayed.median * 1e6, launched.median * 1e6, replayed.repetitions, launched.repetitions);

  // An argument that does not fit is refused before anything is launched.
  try {
    plan(stream, ones, first, 1000L);
    return 1;
  } catch (const kiln::ArgumentError& error) {
    std::printf("refused: %s\n", error.what());
  }
  return right ? 0 : 1;
}
