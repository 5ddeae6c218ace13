// kernel: lanes
// out: unsigned
// expect: 1*i+1000
__global__ void lanes(unsigned* out, int n) {
  unsigned lane, sum;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("add.u32 %0, %1, %2;" : "=r"(sum) : "r"(lane), "r"(threadIdx.x / 32 * 32 + 1000));
  if (threadIdx.x < n) out[threadIdx.x] = sum;
}
