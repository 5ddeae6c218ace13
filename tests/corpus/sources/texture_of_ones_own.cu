// kernel: own_names
// out: float
// expect: 3
// header: own_texture.h
// A class template of that name from a header, and the other name for a variable.
#include "own_texture.h"
__device__ const texture<float> one = {1};
__global__ void own_names(float* out, int n) {
  int surface = threadIdx.x;
  texture<int> two = {2};
  if (surface < n) out[surface] = one.value + two.value;
}
