// kernel: rotate
// out: unsigned
// expect: 496
__global__ void rotate(unsigned* out, int n) {
  unsigned sum = threadIdx.x % 32;
  for (int step = 16; step > 0; step >>= 1) sum += __shfl_down_sync(0xffffffff, sum, step);
  sum = __shfl_sync(0xffffffff, sum, 0);
  if (threadIdx.x < n) out[threadIdx.x] = sum;
}
