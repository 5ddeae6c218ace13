// kernel: roots
// out: float
// expect: 1*i
#include <cmath>
__global__ void roots(float* out, int n) {
  float x = threadIdx.x;
  if (threadIdx.x < n) out[threadIdx.x] = std::sqrt(x * x) + std::floor(0.5f) + std::abs(-0.0f) + std::fmax(0.0, -1.0);
}
