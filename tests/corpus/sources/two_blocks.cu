// kernel: ramp
// out: unsigned
// grid: 2
// block: 32
// expect: 1*i
__global__ void ramp(unsigned* out, int n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = i;
}
