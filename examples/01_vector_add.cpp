// From source text to a checked result: the whole way in one page.
#include <kiln/kiln.hpp>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <vector>

#include "find_device.hpp"

// The kernel is text, so a program may write it at run time. extern "C" is not needed.
const char* const source = R"(
__global__ void add(const float* a, const float* b, float* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
})";

int main() {
  find_device();
  // Compiles the text, or finds it compiled by an earlier run: the second start of this program compiles nothing.
  kiln::SourceModule module(source);
  std::printf("%s, %zu bytes of code for %s\n", module.code().from_cache() ? "found in the cache" : "compiled",
              module.code().bytes().size(), module.code().arch().c_str());

  if (kiln::Device::count() == 0) {
    std::puts("There is no GPU here, so the kernel was compiled and not launched.");
    return 0;
  }

  const int n = 100'000;
  std::vector<float> a(n), b(n), expected(n);
  std::iota(a.begin(), a.end(), 0.0F);
  std::iota(b.begin(), b.end(), 1.0F);
  std::transform(a.begin(), a.end(), b.begin(), expected.begin(), std::plus<>());

  // Buffers own device memory; made from a container they hold a copy of it.
  kiln::DeviceBuffer<float> device_a(a), device_b(b), device_sum(n);

  // The launch: how many blocks of how many threads, then the kernel's arguments. Their count, sizes and kinds are
  // checked against the kernel, so a forgotten argument is an exception and not a crash on the device.
  kiln::Function add = module.get_function("add");
  add({(n + 255) / 256, 256}, device_a, device_b, device_sum, n);

  const bool right = device_sum.to_host() == expected;  // to_host() waits for the kernel
  std::printf("launched on %s: the sums are %s\n", kiln::Device::current().name().c_str(), right ? "right" : "WRONG");
  return right ? 0 : 1;
}
