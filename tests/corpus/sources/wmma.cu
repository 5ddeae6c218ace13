// kernel: multiply
// out: float
// expect: 32
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
__global__ void multiply(float* out, int n) {
  __shared__ half a[256], b[256];
  __shared__ float c[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    a[i] = __float2half(1.0f);
    b[i] = __float2half(2.0f);
  }
  __syncthreads();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  if (threadIdx.x < 32) {
    wmma::fill_fragment(sum, 0.0f);
    wmma::load_matrix_sync(left, a, 16);
    wmma::load_matrix_sync(right, b, 16);
    wmma::mma_sync(sum, left, right, sum);
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
  }
  __syncthreads();
  if (threadIdx.x < n) out[threadIdx.x] = c[threadIdx.x];
}
