// The stand-in for <type_traits> has not all of them.
// kernel: ramp
// out: float
// backend: nvcc
// expect: 1*i+2
#include <type_traits>
struct Doubled {
  __device__ float operator()(float x) const { return x + 2; }
};
template <class F>
__device__ std::invoke_result_t<F, float> call(F f, float x) {
  return f(x);
}
__global__ void ramp(float* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = call(Doubled(), threadIdx.x);
}
