// Kiln's own header, which only a header of an include folder asks for.
// kernel: turn
// out: float
// expect: -1*i
#include "waves.cuh"
__global__ void turn(float* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = quarter_turn(Wave(0, threadIdx.x)).real();
}
