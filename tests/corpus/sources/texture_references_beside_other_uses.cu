// kernel: read_one
// run: no
// The words as names of variables and members too, and a reference by a typedef.
typedef texture<float, 2> plane_t;
plane_t plane;
static texture<uchar4, 1, cudaReadModeNormalizedFloat> colours(1, cudaFilterModeLinear);
surface<void, 2> written;
struct material {
  int texture;
  float surface;
};
template <int d>
__device__ float at(texture<float, d> where, int texture) { return tex2D(where, texture, .5f); }

__global__ void read_one(float* out, int n) {
  const material all = {static_cast<int>(threadIdx.x), 2};
  const int texture = all.texture;
  if (texture >= n) return;
  const float surface = at(plane, texture) + tex1D(colours, .5f).x + all.surface;
  surf2Dwrite(surface, written, texture * 4, 0);
  out[texture] = surface;
}
