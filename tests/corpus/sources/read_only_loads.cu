// kernel: ramp
// out: float
// expect: 2*i+2
__device__ float table[2] = {1, 1};
__global__ void ramp(float* out, int n) {
  const float* t = table;
  float v = __ldg(t) + t[1];
  if (threadIdx.x < n) __stcs(out + threadIdx.x, v * threadIdx.x + v);
}
