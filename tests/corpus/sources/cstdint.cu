// kernel: wrap_around
// out: unsigned
// expect: 44
#include <cstdint>
__global__ void wrap_around(unsigned* out, int n) {
  std::uint8_t small = 200;
  small = static_cast<std::uint8_t>(small + 100);
  std::int64_t wide = std::int64_t(small) << 33;
  if (threadIdx.x < n) out[threadIdx.x] = static_cast<std::uint32_t>(wide >> 33);
}
