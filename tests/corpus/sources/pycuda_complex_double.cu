// PyCUDA's wrapping, its complex header inside.
// kernel: convert
// out: float
// no_extern_c: false
// expect: 1*i+2
#include <pycuda-complex.hpp>
__global__ void convert(float* out, int n) {
  pycuda::complex<float> narrow((float)threadIdx.x, 1.0f);
  pycuda::complex<double> wide = narrow;
  wide += pycuda::complex<double>(1.0, -1.0);
  wide = wide * narrow / narrow + pycuda::complex<float>(exp(pycuda::complex<double>()));
  if (threadIdx.x < n) out[threadIdx.x] = (float)(wide.real() + wide.imag());
}
