// kernel: copies
// out: float
// expect: 1*i+1
#include <cuda_pipeline.h>
__device__ float input[64];
__global__ void copies(float* out, int n) {
  __shared__ float tile[64];
  input[threadIdx.x] = threadIdx.x + 1;
  __syncthreads();
  __pipeline_memcpy_async(&tile[threadIdx.x], &input[threadIdx.x], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (threadIdx.x < n) out[threadIdx.x] = tile[threadIdx.x];
}
