// kernel: ramp
// out: float
// header: generated/table.h
// expect: 7 11 13 0
#include "generated/table.h"
__global__ void ramp(float* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = threadIdx.x < 3 ? primes[threadIdx.x] : 0;
}
