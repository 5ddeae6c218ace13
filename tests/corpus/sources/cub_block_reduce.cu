// kernel: sums
// out: float
// expect: 2016
#include <cub/block/block_reduce.cuh>
__global__ void sums(float* out, int n) {
  typedef cub::BlockReduce<float, 64> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  __shared__ float total;
  const float sum = Reduce(storage).Sum(float(threadIdx.x));
  if (threadIdx.x == 0) total = sum;
  __syncthreads();
  if (threadIdx.x < n) out[threadIdx.x] = total;
}
