// kernel: reversed
// out: float
// expect: -1*i+63
__global__ void reversed(float* out, int n) {
  __shared__ float tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[n - 1 - threadIdx.x];
}
