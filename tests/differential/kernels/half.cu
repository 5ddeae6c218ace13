// fp16 and bf16, one and two at a time.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "rows.cuh"

// f16 <<<(16, 20), 256>>> in f16 6144 out 40960 rows 20 exact
extern "C" __global__ void f16(const unsigned* in, unsigned* out) {
  const __half a = item<__half>(in, ITEM), b = item<__half>(in, ITEM + ITEMS), c = item<__half>(in, ITEM + 2 * ITEMS);
  __half r = a;
  switch (ROW) {
    case 0: r = __hadd(a, b); break;
    case 1: r = __hsub(a, b); break;
    case 2: r = __hmul(a, b); break;
    case 3: r = __hfma(a, b, c); break;
    case 4: r = __hadd_sat(a, b); break;
    case 5: r = __hmul_sat(a, b); break;
    case 6: r = __hfma_sat(a, b, c); break;
    case 7: r = __hfma_relu(a, b, c); break;
    case 8: r = __hmin(a, b); break;
    case 9: r = __hmax(a, b); break;
    case 10: r = __hmin_nan(a, b); break;
    case 11: r = __hmax_nan(a, b); break;
    case 12: r = __habs(a); break;
    case 13: r = __hneg(a); break;
    case 14: r = __float2half(float(__heq(a, b)) + 2 * float(__hlt(a, b)) + 4 * float(__hge(a, b)) + 8 * float(__hneu(a, b))); break;
    case 15: r = __float2half(float(__hgtu(a, b)) + 2 * float(__hleu(a, b)) + 4 * float(__hisnan(a)) + 8 * float(__hisinf(b))); break;
    case 16: r = hfloor(a); break;
    case 17: r = __hadd_rn(a, __hmul_rn(b, c)); break;
    case 18: asm("{ fma.rn.ftz.f16 %0, %1, %2, %3; }" : "=h"(*reinterpret_cast<unsigned short*>(&r)) : "h"(__half_as_ushort(a)), "h"(__half_as_ushort(b)), "h"(__half_as_ushort(c))); break;
    default: r = __hdiv(a, b);
  }
  give(out, __half_as_ushort(r));
}

// f16x2 <<<(16, 12), 256>>> in f16 12288 out 49152 rows 12 exact
extern "C" __global__ void f16x2(const unsigned* in, unsigned* out) {
  const __half2 a = item<__half2>(in, ITEM), b = item<__half2>(in, ITEM + ITEMS), c = item<__half2>(in, ITEM + 2 * ITEMS);
  __half2 r = a;
  switch (ROW) {
    case 0: r = __hadd2(a, b); break;
    case 1: r = __hsub2_sat(a, b); break;
    case 2: r = __hmul2(a, b); break;
    case 3: r = __hfma2(a, b, c); break;
    case 4: r = __hfma2_relu(a, b, c); break;
    case 5: r = __hmin2(a, b); break;
    case 6: r = __hmax2_nan(a, b); break;
    case 7: r = __habs2(__hneg2(a)); break;
    case 8: r = __heq2(a, b); break;
    case 9: r = __hltu2(a, b); break;
    case 10: r = __lowhigh2highlow(a); break;
    default: give(out, __hgt2_mask(a, b)); return;
  }
  give(out, r);
}

// bf16 <<<(16, 14), 256>>> in bf16 6144 out 28672 rows 14 exact
extern "C" __global__ void bf16(const unsigned* in, unsigned* out) {
  using T = __nv_bfloat16;
  const T a = item<T>(in, ITEM), b = item<T>(in, ITEM + ITEMS), c = item<T>(in, ITEM + 2 * ITEMS);
  T r = a;
  switch (ROW) {
    case 0: r = __hadd(a, b); break;
    case 1: r = __hsub(a, b); break;
    case 2: r = __hmul(a, b); break;
    case 3: r = __hfma(a, b, c); break;
    case 4: r = __hfma_relu(a, b, c); break;
    case 5: r = __hmin(a, b); break;
    case 6: r = __hmax(a, b); break;
    case 7: r = __hmax_nan(a, b); break;
    case 8: r = __habs(a); break;
    case 9: r = __hneg(a); break;
    case 10: r = __float2bfloat16(float(__hlt(a, b)) + 2 * float(__heq(a, b)) + 4 * float(__hneu(a, b))); break;
    case 11: r = __hadd_rn(a, __hmul_rn(b, c)); break;
    case 12: r = hrint(a); break;
    default: r = __hsub_sat(a, b);
  }
  give(out, __bfloat16_as_ushort(r));
}

// bf16x2 <<<(16, 6), 256>>> in bf16 12288 out 24576 rows 6 exact
extern "C" __global__ void bf16x2(const unsigned* in, unsigned* out) {
  using T = __nv_bfloat162;
  const T a = item<T>(in, ITEM), b = item<T>(in, ITEM + ITEMS), c = item<T>(in, ITEM + 2 * ITEMS);
  T r = a;
  switch (ROW) {
    case 0: r = __hadd2(a, b); break;
    case 1: r = __hmul2(a, b); break;
    case 2: r = __hfma2(a, b, c); break;
    case 3: r = __hmin2(a, b); break;
    case 4: r = __hmax2_nan(a, b); break;
    default: r = __hle2(a, b);
  }
  give(out, r);
}

// f16_functions <<<(4, 10), 256>>> in f16 512 out 5120 rows 10 f16 2
extern "C" __global__ void f16_functions(const unsigned* in, unsigned* out) {
  const __half a = item<__half>(in, ITEM);
  __half r = a;
  switch (ROW) {
    case 0: r = hexp(a); break;
    case 1: r = hexp2(a); break;
    case 2: r = hlog(a); break;
    case 3: r = hlog2(a); break;
    case 4: r = hsin(a); break;
    case 5: r = hcos(a); break;
    case 6: r = hsqrt(a); break;
    case 7: r = hrsqrt(a); break;
    case 8: r = hrcp(a); break;
    default: asm("{ tanh.approx.f16 %0, %1; }" : "=h"(*reinterpret_cast<unsigned short*>(&r)) : "h"(__half_as_ushort(a)));
  }
  give(out, __half_as_ushort(r));
}
