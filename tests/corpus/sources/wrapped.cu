// kernel: ramp
// out: float
// no_extern_c: false
// expect: 1*i+4
__device__ float shifted(float x) { return x + 4; }
__global__ void ramp(float* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = shifted(threadIdx.x);
}
