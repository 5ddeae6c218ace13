// kernel: ramp
// out: float
// expect: 1*i+21
#include "offset.cuh"
#include <deeper/more.cuh>
__global__ void ramp(float* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = with_offset(threadIdx.x) + more;
}
