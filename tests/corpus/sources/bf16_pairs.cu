// kernel: pairs
// out: float
// expect: 2*i+4
#include <cuda_bf16.h>
__global__ void pairs(float* out, int n) {
  __nv_bfloat162 x = __floats2bfloat162_rn(threadIdx.x, threadIdx.x + 4.0f);
  if (threadIdx.x < n) out[threadIdx.x] = __bfloat162float(x.x) + __bfloat162float(x.y);
}
