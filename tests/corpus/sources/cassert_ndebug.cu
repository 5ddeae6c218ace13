// kernel: unchecked
// out: float
// options: -DNDEBUG
// expect: 6
#include <cassert>
__global__ void unchecked(float* out, int n) {
  assert(false);
  if (threadIdx.x < n) out[threadIdx.x] = 6;
}
