// kernel: pairs
// out: float
// expect: 3*i+2
#include <cuda_fp16.h>
__global__ void pairs(float* out, int n) {
  half2 x = __floats2half2_rn(threadIdx.x, 2.0f * threadIdx.x);
  half2 y = __hfma2(x, __float2half2_rn(1.0f), __float2half2_rn(1.0f));
  if (threadIdx.x < n) out[threadIdx.x] = __low2float(y) + __high2float(y);
}
