// kernel: scale<float, 3>
// out: float
// instance: scale<float, 3>
// instance: scale<double,2>
// expect: 3*i
template <class T, int factor>
__global__ void scale(T* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = T(factor * threadIdx.x);
}
