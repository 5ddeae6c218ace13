// kernel: halves
// out: float
// expect: 2*i
#include <cuda_bf16.h>
__global__ void halves(float* out, int n) {
  __nv_bfloat16 x = __float2bfloat16(threadIdx.x);
  if (threadIdx.x < n) out[threadIdx.x] = __bfloat162float(x) + float(x);
}
