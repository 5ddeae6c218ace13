// kernel: sample
// out: float
// run: no
#include <stdint.h>
__device__ cudaTextureObject_t texture_object;
__device__ cudaSurfaceObject_t surface_object;
__global__ void sample(float* out, int n) {
  if (threadIdx.x >= n) return;
  out[threadIdx.x] = tex1D<float>(texture_object, threadIdx.x) + tex2D<float>(texture_object, threadIdx.x, 0.5f);
  surf2Dwrite(1.0f, surface_object, threadIdx.x * sizeof(float), 0);
}
