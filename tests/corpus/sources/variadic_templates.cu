// kernel: sums
// out: float
// expect: 1*i+6
template <class... T>
__device__ auto sum(T... values) { return (values + ...); }
__global__ void sums(float* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = sum(1, 2.0f, 3.0, threadIdx.x);
}
