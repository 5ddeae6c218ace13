// kernel: talk
// out: unsigned
// expect: 14
#include <cstdio>
__global__ void talk(unsigned* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = 14;
  if (threadIdx.x == 9999) printf("%s\n", "never");
}
