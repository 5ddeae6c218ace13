// std::complex has the host's layout only where the host's header is read.
// kernel: parts
// out: float
// backend: nvcc
// expect: 12
#include <complex>
struct Input { int tag; std::complex<float> value; };
__global__ void parts(float* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = sizeof(Input);
}
