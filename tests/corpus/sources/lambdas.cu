// kernel: apply
// out: float
// expect: 2*i+5
template <class F>
__device__ void each(float* out, int n, F f) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = f(i);
}
__global__ void apply(float* out, int n) {
  const float shift = 5;
  each(out, n, [=](auto i) { return 2 * i + shift; });
}
