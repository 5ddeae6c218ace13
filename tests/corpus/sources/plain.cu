// kernel: ramp
// out: float
// expect: 2*i+1
__global__ void ramp(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * i + 1;
}
