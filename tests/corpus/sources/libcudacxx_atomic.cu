// kernel: count
// out: unsigned
// expect: 64
#include <cuda/atomic>
__global__ void count(unsigned* out, int n) {
  __shared__ unsigned total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  cuda::atomic_ref<unsigned, cuda::thread_scope_block>(total).fetch_add(1, cuda::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x < n) out[threadIdx.x] = total;
}
