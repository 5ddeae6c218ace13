// kernel: talk
// out: float
// expect: 1*i
#include <stdio.h>
__global__ void talk(float* out, int n) {
  if (threadIdx.x >= n) printf("thread %d of %d has nothing to do\n", threadIdx.x, n);
  else out[threadIdx.x] = threadIdx.x;
}
