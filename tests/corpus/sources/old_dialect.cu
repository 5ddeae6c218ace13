// kernel: ramp
// out: float
// options: -std=c++14
// expect: 1*i+4
#include <limits>
#include <type_traits>
#include <cmath>
#include <cstdint>
__global__ void ramp(float* out, int n) {
  const std::int32_t shift = std::is_same<std::decay_t<const int&>, int>::value ? 4 : 0;
  if (threadIdx.x < n) out[threadIdx.x] = threadIdx.x + shift;
}
