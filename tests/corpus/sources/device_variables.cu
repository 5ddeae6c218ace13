// kernel: count
// out: unsigned
// expect: 64
__device__ unsigned counter;
__device__ const unsigned step[2] = {1, 1};
__global__ void count(unsigned* out, int n) {
  atomicAdd(&counter, step[threadIdx.x % 2]);
  __syncthreads();
  if (threadIdx.x < n) out[threadIdx.x] = counter;
  __syncthreads();
  if (threadIdx.x == 0) counter = 0;
}
