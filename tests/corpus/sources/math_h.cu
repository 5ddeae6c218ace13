// kernel: sums
// out: float
// expect: 3 1 1 5 8 2.5 9 0 -2
#include <math.h>
__constant__ float limit = INFINITY;
__global__ void sums(float* out, int n) {
  int i = threadIdx.x;
  float x = i;
  if (i == 0) out[i] = floor(M_PI);
  if (i == 1) out[i] = isinf(limit) && limit > 0 && HUGE_VAL == INFINITY;
  if (i == 2) out[i] = isnan(NAN);
  if (i == 3) out[i] = sqrtf(25.0f);
  if (i == 4) out[i] = ldexp(1.0, 3);
  if (i == 5) out[i] = fabs(-2.5);
  if (i == 6) out[i] = fmaf(2.0f, x / 2, 3.0f);
  if (i == 7) out[i] = fmin(x, 0.0f);
  if (i >= 8) out[i] = copysignf(2.0f, -x);
}
