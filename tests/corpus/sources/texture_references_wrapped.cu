// kernel: read_all
// run: no
// no_extern_c: false
#include <pycuda-helpers.hpp>
texture<fp_tex_double, 1, cudaReadModeElementType> doubles;
texture<fp_tex_cfloat, 2> complexes;
texture<fp_tex_cdouble, cudaTextureType2DLayered> layers;
texture<float, 3> volume;
surface<void, cudaSurfaceType2DLayered> written;
surface<void, 3> written_volume;

__global__ void read_all(double* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const pycuda::complex<float> c = fp_tex2D(complexes, i, 0);
  pycuda::complex<double> z = fp_tex2DLayered(layers, i, 0, 1);
  fp_surf2DLayeredwrite(z, written, i, 0, 1, cudaBoundaryModeTrap);
  fp_surf2DLayeredread(&z, written, i, 0, 1, cudaBoundaryModeTrap);
  fp_surf3Dwrite(z.real(), written_volume, i, 0, 0, cudaBoundaryModeTrap);
  double x;
  fp_surf3Dread(&x, written_volume, i, 0, 0, cudaBoundaryModeTrap);
  out[i] = fp_tex1Dfetch(doubles, i) + c.real() + z.imag() + fp_tex3D(volume, i, 0, 0) + x;
}
