// kernel: read_one
// run: no
// header: textures.h
// The user's own extern "C", declarations in a header, and a texture among a function's parameters.
#include "textures.h"
template <class T>
__device__ float at(texture<T, 1> where, int i) { return tex1Dfetch(where, i); }
extern "C" {
texture<float> own;
__global__ void read_one(float* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = tex2D(from_header, 0, 0) + at(own, threadIdx.x);
}
}
