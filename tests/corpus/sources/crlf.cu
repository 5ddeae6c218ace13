// kernel: ramp
// out: float
// expect: 2*i
#define TWICE(x) \
  ((x) * 2)
__global__ void ramp(float* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = TWICE(threadIdx.x);
}
