// kernel: choose
// out: float
// expect: 1 4 3 16 5 36 7 64 9
typedef float (*Operation)(float);
__device__ float same(float x) { return x; }
__device__ float square(float x) { return x * x; }
__device__ Operation operations[] = {same, square};
__global__ void choose(float* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = i < 8 ? operations[i % 2](i + 1) : 9;
}
