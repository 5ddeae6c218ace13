// Tensor cores: wmma, mma.sync, ldmatrix. Integers and small numbers are exact in any order of summation; others are bounded.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__device__ float small(unsigned word) { return float(int(word & 15) - 8) * 0.25F; }

template <class T, class Made, int K>
__device__ void wmma_product(const unsigned* in, unsigned* out, Made made) {
  __shared__ __align__(32) T a[16 * K], b[K * 16];
  __shared__ __align__(32) float c[256];
  for (unsigned i = threadIdx.x; i < 16 * K; i += 32) a[i] = made(small(in[i])), b[i] = made(small(in[i + 256]));
  for (unsigned i = threadIdx.x; i < 256; i += 32) c[i] = small(in[i + 512]);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, K, T, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, K, T, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, K, float> sum;
  wmma::load_matrix_sync(left, a, K);
  wmma::load_matrix_sync(right, b, K);
  wmma::load_matrix_sync(sum, c, 16, wmma::mem_row_major);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(reinterpret_cast<float*>(out), sum, 16, wmma::mem_col_major);
}
// wmma_f16 <<<1, 32>>> in bits 768 out 256 rows 1 exact
extern "C" __global__ void wmma_f16(const unsigned* in, unsigned* out) {
  wmma_product<__half, __half (*)(float), 16>(in, out, [](float x) { return __float2half(x); });
}
// wmma_bf16 <<<1, 32>>> in bits 768 out 256 rows 1 exact
extern "C" __global__ void wmma_bf16(const unsigned* in, unsigned* out) {
  wmma_product<__nv_bfloat16, __nv_bfloat16 (*)(float), 16>(in, out, [](float x) { return __float2bfloat16(x); });
}
// wmma_tf32 <<<1, 32>>> in bits 768 out 256 rows 1 exact
extern "C" __global__ void wmma_tf32(const unsigned* in, unsigned* out) {
  __shared__ __align__(32) float a[128], b[128];
  for (unsigned i = threadIdx.x; i < 128; i += 32) a[i] = small(in[i]), b[i] = small(in[i + 256]);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::fill_fragment(sum, 1.5F);
  wmma::load_matrix_sync(left, a, 8);
  wmma::load_matrix_sync(right, b, 8);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(reinterpret_cast<float*>(out), sum, 16, wmma::mem_row_major);
}
// wmma_f64 <<<1, 32>>> in bits 128 out 128 rows 1 exact
extern "C" __global__ void wmma_f64(const unsigned* in, unsigned* out) {
  __shared__ __align__(32) double a[32], b[32];
  a[threadIdx.x] = small(in[threadIdx.x]);
  b[threadIdx.x] = small(in[threadIdx.x + 32]);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
  wmma::fill_fragment(sum, 0.5);
  wmma::load_matrix_sync(left, a, 4);
  wmma::load_matrix_sync(right, b, 4);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(reinterpret_cast<double*>(out), sum, 8, wmma::mem_row_major);
}
// wmma_s8 <<<1, 32>>> in bits 128 out 256 rows 1 exact
extern "C" __global__ void wmma_s8(const unsigned* in, unsigned* out) {
  __shared__ __align__(32) unsigned a[64], b[64];
  for (unsigned i = threadIdx.x; i < 64; i += 32) a[i] = in[i], b[i] = in[i + 64];
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
  wmma::fill_fragment(sum, 3);
  wmma::load_matrix_sync(left, reinterpret_cast<signed char*>(a), 16);
  wmma::load_matrix_sync(right, reinterpret_cast<signed char*>(b), 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(reinterpret_cast<int*>(out), sum, 16, wmma::mem_row_major);
}

// mma_f16 <<<1, 32>>> in bits 256 out 128 rows 1 exact
extern "C" __global__ void mma_f16(const unsigned* in, unsigned* out) {
  unsigned a[4], b[2];
  float d[4];
  const auto pair = [&](unsigned i) {
    const __half2 two = __floats2half2_rn(small(in[i]), small(in[i] >> 8));
    return *reinterpret_cast<const unsigned*>(&two);
  };
  for (unsigned i = 0; i < 4; ++i) a[i] = pair(threadIdx.x * 4 + i), d[i] = float(i);
  for (unsigned i = 0; i < 2; ++i) b[i] = pair(128 + threadIdx.x * 2 + i);
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (unsigned i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = __float_as_uint(d[i]);
}
// mma_s8 <<<1, 32>>> in bits 256 out 128 rows 1 exact
extern "C" __global__ void mma_s8(const unsigned* in, unsigned* out) {
  const unsigned *a = in + threadIdx.x * 4, *b = in + 128 + threadIdx.x * 2;
  int d[4] = {1, 2, 3, 4};
  asm("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (unsigned i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = unsigned(d[i]);
}
// mma_f64 <<<1, 32>>> in bits 64 out 128 rows 1 exact
extern "C" __global__ void mma_f64(const unsigned* in, unsigned* out) {
  double d[2] = {1, 2};
  const double a = small(in[threadIdx.x]), b = small(in[threadIdx.x + 32]);
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+d"(d[0]), "+d"(d[1]) : "d"(a), "d"(b));
  for (unsigned i = 0; i < 2; ++i) reinterpret_cast<double*>(out)[threadIdx.x * 2 + i] = d[i];
}
// mma_tf32 <<<1, 32>>> in unit 256 out 128 rows 1 relative 1e-5
extern "C" __global__ void mma_tf32(const unsigned* in, unsigned* out) {
  unsigned a[4], b[2];
  float d[4] = {0, 0, 0, 0};
  for (unsigned i = 0; i < 4; ++i) asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(a[i]) : "f"(__uint_as_float(in[threadIdx.x * 4 + i])));
  for (unsigned i = 0; i < 2; ++i) asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(b[i]) : "f"(__uint_as_float(in[128 + threadIdx.x * 2 + i])));
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (unsigned i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = __float_as_uint(d[i]);
}
// load_matrix <<<1, 32>>> in bits 128 out 288 rows 9 exact
extern "C" __global__ void load_matrix(const unsigned* in, unsigned* out) {
  __shared__ __align__(16) unsigned word[128];
  for (unsigned i = threadIdx.x; i < 128; i += 32) word[i] = in[i];
  __syncwarp();
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(word + 4 * ((threadIdx.x * 5) % 32)));
  unsigned r[9];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "r"(address));
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r[8]) : "r"(r[0]));
  for (unsigned i = 0; i < 9; ++i) out[32 * i + threadIdx.x] = r[i];
}

#define LOAD_FRAGMENTS(made)                                                            \
  unsigned a[4], b[2];                                                                  \
  for (unsigned i = 0; i < 4; ++i) a[i] = made(in[threadIdx.x * 4 + i]);                \
  for (unsigned i = 0; i < 2; ++i) b[i] = made(in[128 + threadIdx.x * 2 + i])

#define MULTIPLY(shape, kind, c0, c1, c2, c3, d)                                                                     \
  asm("mma.sync.aligned." shape ".row.col." kind " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"        \
      : "+" d(c0), "+" d(c1), "+" d(c2), "+" d(c3)                                                                   \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))

__device__ unsigned same(unsigned word) { return word; }
// Of e4m3 and e5m2: 0.5 to 1.875, or 0.5 to 1.75, and their negatives: exact sums.
__device__ unsigned near_one(unsigned word) { return (word & 0x87878787u) | 0x30303030u; }
__device__ unsigned near_one_e5m2(unsigned word) { return (word & 0x83838383u) | 0x38383838u; }
__device__ unsigned bf16_pair(unsigned word) { return (word & 0x80078007u) | 0x3F803F80u; }
__device__ unsigned f16_pair(unsigned word) { return (word & 0x83008300u) | 0x3C003C00u; }

// mma_more <<<(1, 6), 32>>> in bits 256 out 768 rows 6 exact
extern "C" __global__ void mma_more(const unsigned* in, unsigned* out) {
  float f[4] = {1, 2, 3, 4};
  int n[4] = {1, 2, 3, 4};
  if (blockIdx.y == 0) {
    LOAD_FRAGMENTS(near_one);
    MULTIPLY("m16n8k32", "f32.e4m3.e4m3.f32", f[0], f[1], f[2], f[3], "f");
  } else if (blockIdx.y == 1) {
    LOAD_FRAGMENTS(near_one_e5m2);
    MULTIPLY("m16n8k32", "f32.e5m2.e5m2.f32", f[0], f[1], f[2], f[3], "f");
  } else if (blockIdx.y == 2) {
    LOAD_FRAGMENTS(bf16_pair);
    MULTIPLY("m16n8k16", "f32.bf16.bf16.f32", f[0], f[1], f[2], f[3], "f");
  } else if (blockIdx.y == 3) {
    LOAD_FRAGMENTS(same);
    MULTIPLY("m16n8k64", "s32.s4.s4.s32", n[0], n[1], n[2], n[3], "r");
  } else if (blockIdx.y == 4) {
    LOAD_FRAGMENTS(same);
    MULTIPLY("m16n8k32", "s32.u8.s8.s32", n[0], n[1], n[2], n[3], "r");
  } else {
    LOAD_FRAGMENTS(same);
    MULTIPLY("m16n8k256", "s32.b1.b1.s32.and.popc", n[0], n[1], n[2], n[3], "r");
  }
  for (unsigned i = 0; i < 4; ++i)
    out[blockIdx.y * 128 + threadIdx.x * 4 + i] = blockIdx.y < 3 ? __float_as_uint(f[i]) : unsigned(n[i]);
}
// mma_f16_sums <<<1, 32>>> in bits 256 out 64 rows 1 exact
extern "C" __global__ void mma_f16_sums(const unsigned* in, unsigned* out) {
  LOAD_FRAGMENTS(f16_pair);
  unsigned d[2] = {0x3C003C00u, 0x40004000u};
  asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3}, {%4}, {%0,%1};"
      : "+r"(d[0]), "+r"(d[1])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  out[threadIdx.x * 2] = d[0];
  out[threadIdx.x * 2 + 1] = d[1];
}
// wmma_wide <<<1, 32>>> in bits 768 out 256 rows 1 exact
extern "C" __global__ void wmma_wide(const unsigned* in, unsigned* out) {
  __shared__ __align__(32) __half a[512], b[128];
  for (unsigned i = threadIdx.x; i < 512; i += 32) a[i] = __float2half(small(in[i]));
  for (unsigned i = threadIdx.x; i < 128; i += 32) b[i] = __float2half(small(in[i + 512]));
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 32, 8, 16, __half, wmma::col_major> left;
  wmma::fragment<wmma::matrix_b, 32, 8, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 32, 8, 16, float> sum;
  wmma::fill_fragment(sum, 0.25F);
  wmma::load_matrix_sync(left, a, 32);
  wmma::load_matrix_sync(right, b, 8);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(reinterpret_cast<float*>(out), sum, 8, wmma::mem_row_major);
}
