// kernel: ramp
// out: float
// backend: nvcc
// expect: 1*i
#include <vector>
std::vector<int> make() { return std::vector<int>(3); }
__global__ void ramp(float* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = threadIdx.x;
}
