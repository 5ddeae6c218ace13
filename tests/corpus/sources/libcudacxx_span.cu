// Beside the header that libcu++ has a form of its own of.
// kernel: sums
// out: unsigned
// expect: 10
#include <stdint.h>
#include <cuda/std/array>
#include <cuda/std/cstdint>
#include <cuda/std/span>
__device__ uint64_t sum(cuda::std::span<const uint64_t> values) {
  uint64_t total = 0;
  for (uint64_t value : values) total += value;
  return total;
}
__global__ void sums(unsigned* out, int n) {
  cuda::std::array<uint64_t, 4> values = {1, 2, 3, 4};
  if (threadIdx.x < n) out[threadIdx.x] = sum(values);
}
