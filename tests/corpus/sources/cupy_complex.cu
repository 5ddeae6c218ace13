// CuPy's complex header by its name, with cuComplex's functions on the same numbers.
// kernel: multiply
// out: float
// expect: -3 4 5 25 1 0 2 -1 0.5 6
#include <cuComplex.h>
#include <cupy/complex.cuh>
__device__ float parts(const complex<float>& z) { return real(z) - imag(z); }
extern "C" __global__ void multiply(float* out, int n) {
  __shared__ complex<float> tile[2];
  if (threadIdx.x == 0) tile[0] = complex<float>(1, 2) * complex<float>(1, 2);
  __syncthreads();
  if (threadIdx.x != 0) return;
  const complex<float> z = tile[0], i(0, 1);
  complex<float> w(3, 4), sum = 0;
  sum += 2.0f;
  w /= 1;
  out[0] = z.real();
  out[1] = z.imag();
  out[2] = abs(w);
  out[3] = norm(w);
  out[4] = (w == conj(conj(w))) && (w != 3.0f) && sizeof(w) == 8 && alignof(complex<float>) == 8;
  out[5] = (w / w).imag();
  out[6] = sum.real() + (i * i + 1).real();
  out[7] = parts(w);
  out[8] = real(1 / thrust::complex<double>(2, 0));
  w = cuCaddf(w, make_cuComplex(3.0f, 0.0f));
  for (int k = 9; k < n; ++k) out[k] = w.real();
}
