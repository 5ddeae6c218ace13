// kernel: sums
// out: float
// shared: 512
// expect: 2016
extern __shared__ double parts[];
__global__ void sums(float* out, int n) {
  parts[threadIdx.x] = threadIdx.x;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
  }
  __syncthreads();
  if (threadIdx.x < n) out[threadIdx.x] = parts[0];
}
