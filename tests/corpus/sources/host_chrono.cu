// kernel: seconds
// out: float
// backend: nvcc
// expect: 60
#include <chrono>
__global__ void seconds(float* out, int n) {
  constexpr auto minute = std::chrono::minutes::period::num;
  if (threadIdx.x < n) out[threadIdx.x] = minute;
}
