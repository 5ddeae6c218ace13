// kernel: sizes
// out: unsigned
// expect: 8 8 16
#include <pycuda-helpers.hpp>
__global__ void sizes(unsigned* out, int n) {
  if (threadIdx.x != 0) return;
  out[0] = sizeof(fp_tex_double);
  out[1] = sizeof(pycuda::complex<float>);
  for (int i = 2; i < n; ++i) out[i] = sizeof(fp_tex_cdouble);
}
