// kernel: ramp
// out: float
// backend: nvcc
// expect: 1*i+1
#include <iostream>
void tell() { std::cout << "on the host\n"; }
__global__ void ramp(float* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = threadIdx.x + 1;
}
