// kernel: fill(float*, int)
// out: float
// expect: 1
__device__ int rank(float) { return 1; }
__device__ int rank(double) { return 2; }
__global__ void fill(float* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = rank(out[threadIdx.x]);
}
__global__ void fill(double* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = rank(out[threadIdx.x]);
}
