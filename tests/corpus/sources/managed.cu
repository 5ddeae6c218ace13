// kernel: shift
// out: float
// expect: 1*i+9
__managed__ float offset = 9;
__global__ void shift(float* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = threadIdx.x + offset;
}
