// kernel: checked
// out: float
// expect: 1*i+1
#include <assert.h>
__global__ void checked(float* out, int n) {
  assert(n > 0 && blockDim.x <= n);
  out[threadIdx.x] = threadIdx.x + 1;
}
