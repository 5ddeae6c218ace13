// kernel: halves
// out: float
// expect: 0.5*i+1
#include <cuda_fp16.h>
__global__ void halves(float* out, int n) {
  __half x = __float2half(0.5f * threadIdx.x);
  if (threadIdx.x < n) out[threadIdx.x] = __half2float(__hadd(x, __half(1.0f)));
}
