// kernel: multiply
// out: float
// expect: -3 4 5 25 1 0 2 -1 0.5 6
#include <pycuda-complex.hpp>
typedef pycuda::complex<float> complex;
__constant__ complex factor(1.0f, 2.0f);
__device__ float parts(complex z) { return pycuda::real(z) - imag(z); }
__global__ void multiply(float* out, int n) {
  __shared__ complex tile[2];
  if (threadIdx.x == 0) tile[0] = factor * factor;
  __syncthreads();
  if (threadIdx.x != 0) return;
  const complex z = tile[0], i(0, 1);
  complex w(3, 4), sum;
  sum += 2.0f;
  w /= 1;
  out[0] = z.real();
  out[1] = z.imag();
  out[2] = abs(w);
  out[3] = norm(w);
  out[4] = (w == conj(conj(w))) && (w != 3.0f) && sizeof(complex) == 8;
  out[5] = (w / w).imag();
  out[6] = sum.real() + (i * i + 1).real();
  out[7] = parts(w);
  out[8] = real(1 / complex(2, 0));
  for (int k = 9; k < n; ++k) out[k] = (2 * w).real();
}
