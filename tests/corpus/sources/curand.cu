// kernel: same_twice
// out: float
// expect: 1
#include <curand_kernel.h>
__global__ void same_twice(float* out, int n) {
  curandStatePhilox4_32_10_t a, b;
  curand_init(1234, threadIdx.x, 0, &a);
  curand_init(1234, threadIdx.x, 1, &b);
  curand(&a);
  const unsigned first = curand(&a), second = curand(&b);
  const float u = curand_uniform(&a);
  curandState xorwow;
  curand_init(7, threadIdx.x, 0, &xorwow);
  const float v = curand_uniform(&xorwow);
  if (threadIdx.x < n) out[threadIdx.x] = first == second && u > 0 && u <= 1 && v > 0 && v <= 1;
}
