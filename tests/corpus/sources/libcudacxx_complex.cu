// kernel: squares
// out: float
// expect: -3
#include <cuda/std/complex>
__global__ void squares(float* out, int n) {
  cuda::std::complex<float> z(1, 2);
  z *= z;
  if (threadIdx.x < n) out[threadIdx.x] = z.real();
}
