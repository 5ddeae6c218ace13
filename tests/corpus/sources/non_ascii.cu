// Größe, 大きさ, размер: comments and texts of any language.
// kernel: ramp
// out: float
// expect: 1*i
#include <stdio.h>
__global__ void ramp(float* out, int n) {
  if (threadIdx.x >= n) printf("naïve – größer als %d\n", n);  // «never»
  else out[threadIdx.x] = threadIdx.x;
}
