// Uses cuComplex.h's functions, which nothing includes.
// kernel: turn
// out: float
// expect: -3*i
__device__ cuDoubleComplex square(cuDoubleComplex z) { return cuCmul(z, z); }
__global__ void turn(float* out, int n) {
  const cuComplex z = cuComplexDoubleToFloat(square(make_cuDoubleComplex(1.0, 2.0)));
  if (threadIdx.x < n) out[threadIdx.x] = cuCrealf(cuCaddf(z, make_cuComplex(0.0f, 1.0f))) * threadIdx.x;
}
