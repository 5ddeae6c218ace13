// Uses cuComplex.h's functions beside another header.
// kernel: quotient
// out: float
// expect: 2 1 5
#include <stdint.h>
__global__ void quotient(float* out, int n) {
  const cuDoubleComplex z = cuCdiv(make_cuDoubleComplex(0.0, 5.0), make_cuDoubleComplex(1.0, 2.0));
  if (threadIdx.x != 0) return;
  out[0] = (float)cuCreal(z);
  out[1] = (float)cuCimag(z);
  for (int32_t k = 2; k < n; ++k) out[k] = cuCabsf(make_cuFloatComplex(3.0f, 4.0f));
}
