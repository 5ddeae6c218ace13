// What PyCUDA's wrapping leaves alive: C headers inside extern "C".
// kernel: ramp
// out: unsigned
// no_extern_c: false
// expect: 1*i+7
#include <stdint.h>
#include <math.h>
#include <cuComplex.h>
__global__ void ramp(uint32_t* out, int n) {
  cuFloatComplex z = make_cuFloatComplex(3.0f, 4.0f);
  if (threadIdx.x < n) out[threadIdx.x] = (uint32_t)(cuCrealf(z) + sqrtf(16.0f)) + threadIdx.x;
}
