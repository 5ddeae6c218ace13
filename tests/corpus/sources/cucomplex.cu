// kernel: squares
// out: float
// expect: -3*i
#include <cuComplex.h>
__global__ void squares(float* out, int n) {
  cuComplex z = make_cuComplex(1.0f, 2.0f);
  z = cuCmulf(z, z);
  cuDoubleComplex w = cuCadd(cuComplexFloatToDouble(z), make_cuDoubleComplex(0.0, 1.0));
  if (threadIdx.x < n) out[threadIdx.x] = cuCrealf(z) * threadIdx.x + (cuCimag(w) - 5);
}
