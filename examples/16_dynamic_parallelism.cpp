// Kernels that launch kernels: an adaptive integral. Each thread looks at one interval, and where the function bends it
// launches a finer grid for that interval; a last kernel runs when all of them are done.
#include <kiln/kiln.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

// Child launches need neither headers nor a host function: DynamicSourceModule compiles relocatable device code and
// links it with the device runtime.
const char* const source = R"(
__device__ double f(double x) { return 1 / (1e-3 + (x - 0.3) * (x - 0.3)); }

__global__ void integrate(double from, double width, int depth, double* sum, int* grids) {
  if (threadIdx.x == 0) atomicAdd(grids, 1);
  const double step = width / blockDim.x, x = from + threadIdx.x * step;
  const double coarse = step * f(x + step / 2);
  const double fine = step / 2 * (f(x + step / 4) + f(x + 3 * step / 4));
  if (depth > 0 && fabs(fine - coarse) > 1e-7)
    integrate<<<1, 32>>>(x, step, depth - 1, sum, grids);
  else
    atomicAdd(sum, fine + (fine - coarse) / 3);
}

__global__ void finish(const double* sum, double* result) { *result = *sum; }

extern "C" __global__ void start(double* sum, int* grids, double* result) {
  integrate<<<1, 32>>>(0.0, 1.0, 4, sum, grids);
  finish<<<1, 1, 0, cudaStreamTailLaunch>>>(sum, result);  // after this grid and all that it launched
}
)";

int main() {
  const kiln::DynamicSourceModule module(source);
  std::printf("compiled and linked for %s\n", module.code().arch().c_str());
  if (kiln::Device::count() == 0) {
    std::puts("There is no GPU here, so nothing was launched.");
    return 0;
  }

  std::vector<double> sum(1), result(1);
  std::vector<int> grids(1);
  module.get_function("start")({1, 1}, kiln::InOut(sum), kiln::InOut(grids), kiln::Out(result));

  const double a = std::sqrt(1e-3);
  const double expected = (std::atan(0.7 / a) + std::atan(0.3 / a)) / a;
  std::printf("%d grids were launched from the device; the integral is %.8f, it should be %.8f\n", grids[0], result[0],
              expected);
  return std::fabs(result[0] - expected) < 1e-6 && grids[0] > 1 ? 0 : 1;
}
