// kernel: factorials
// out: unsigned
// expect: 120
__device__ unsigned factorial(unsigned n) { return n < 2 ? 1 : n * factorial(n - 1); }
__global__ void factorials(unsigned* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = factorial(n / 12);
}
