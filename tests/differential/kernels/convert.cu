// Conversions between all kinds of numbers.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include "rows.cuh"

// from_f32 <<<(16, 24), 256>>> in f32 4096 out 98304 rows 24 exact
extern "C" __global__ void from_f32(const unsigned* in, unsigned* out) {
  const float a = item<float>(in, ITEM);
  unsigned r = 0;
  unsigned long long wide = 0;
  unsigned short half = 0;
  switch (ROW) {
    case 0: r = unsigned(__float2int_rn(a)); break;
    case 1: r = unsigned(__float2int_rz(a)); break;
    case 2: r = unsigned(__float2int_ru(a)); break;
    case 3: r = unsigned(__float2int_rd(a)); break;
    case 4: r = __float2uint_rn(a); break;
    case 5: r = __float2uint_rd(a); break;
    case 6: wide = static_cast<unsigned long long>(__float2ll_rn(a)); r = unsigned(wide ^ wide >> 32); break;
    case 7: wide = __float2ull_rz(a); r = unsigned(wide ^ wide >> 32); break;
    case 8: r = __half_as_ushort(__float2half_rn(a)); break;
    case 9: r = __half_as_ushort(__float2half_rz(a)); break;
    case 10: r = __half_as_ushort(__float2half_ru(a)); break;
    case 11: r = __half_as_ushort(__float2half_rd(a)); break;
    case 12: r = __bfloat16_as_ushort(__float2bfloat16_rn(a)); break;
    case 13: r = __bfloat16_as_ushort(__float2bfloat16_rz(a)); break;
    case 14: wide = static_cast<unsigned long long>(__double_as_longlong(double(a))); r = unsigned(wide ^ wide >> 32); break;
    case 15: asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(a)); break;
    case 16: asm("{ .reg .u16 t; cvt.rzi.u16.f32 t, %1; cvt.u32.u16 %0, t; }" : "=r"(r) : "f"(a)); break;
    case 17: asm("{ .reg .s16 t; cvt.rni.sat.s16.f32 t, %1; cvt.s32.s16 %0, t; }" : "=r"(r) : "f"(a)); break;
    case 18: asm("cvt.rzi.s8.f32 %0, %1;" : "=r"(r) : "f"(a)); break;
    case 19: asm("cvt.rpi.ftz.s32.f32 %0, %1;" : "=r"(r) : "f"(a)); break;
    case 20: asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(half) : "f"(a), "f"(-a)); r = half; break;
    case 21: asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(half) : "f"(a), "f"(a * 3.0F)); r = half; break;
    case 22: asm("cvt.rn.relu.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(a), "f"(-a)); break;
    default: asm("cvt.rz.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(a), "f"(-a));
  }
  give(out, r);
}

// from_f64 <<<(16, 12), 256>>> in f64 8192 out 49152 rows 12 exact
extern "C" __global__ void from_f64(const unsigned* in, unsigned* out) {
  const double a = item<double>(in, ITEM);
  unsigned r = 0;
  unsigned long long wide = 0;
  switch (ROW) {
    case 0: r = unsigned(__double2int_rn(a)); break;
    case 1: r = unsigned(__double2int_rz(a)); break;
    case 2: r = __double2uint_ru(a); break;
    case 3: wide = static_cast<unsigned long long>(__double2ll_rd(a)); r = unsigned(wide ^ wide >> 32); break;
    case 4: wide = __double2ull_rn(a); r = unsigned(wide ^ wide >> 32); break;
    case 5: r = __float_as_uint(__double2float_rn(a)); break;
    case 6: r = __float_as_uint(__double2float_rz(a)); break;
    case 7: r = __float_as_uint(__double2float_ru(a)); break;
    case 8: r = __float_as_uint(__double2float_rd(a)); break;
    case 9: r = __half_as_ushort(__double2half(a)); break;
    case 10: asm("cvt.rzi.s16.f64 %0, %1;" : "=r"(r) : "d"(a)); break;
    default: r = unsigned(__double2hiint(a)) ^ unsigned(__double2loint(a));
  }
  give(out, r);
}

// from_integers <<<(16, 20), 256>>> in bits 8192 out 81920 rows 20 exact
extern "C" __global__ void from_integers(const unsigned* in, unsigned* out) {
  const unsigned a = in[ITEM];
  const long long s = item<long long>(in, ITEM);
  const auto u = static_cast<unsigned long long>(s);
  unsigned r = 0;
  switch (ROW) {
    case 0: r = __float_as_uint(__int2float_rn(int(a))); break;
    case 1: r = __float_as_uint(__int2float_rz(int(a))); break;
    case 2: r = __float_as_uint(__int2float_ru(int(a))); break;
    case 3: r = __float_as_uint(__uint2float_rd(a)); break;
    case 4: r = __float_as_uint(__ll2float_rn(s)); break;
    case 5: r = __float_as_uint(__ll2float_rz(s)); break;
    case 6: r = __float_as_uint(__ull2float_ru(u)); break;
    case 7: r = unsigned(__double_as_longlong(__ll2double_rn(s)) >> 5); break;
    case 8: r = unsigned(__double_as_longlong(__ll2double_rz(s))); break;
    case 9: r = unsigned(__double_as_longlong(__ull2double_ru(u))); break;
    case 10: r = unsigned(__double_as_longlong(__uint2double_rn(a)) >> 9); break;
    case 11: r = __half_as_ushort(__int2half_rn(int(a))); break;
    case 12: r = __half_as_ushort(__ushort2half_rz(static_cast<unsigned short>(a))); break;
    case 13: r = unsigned(static_cast<signed char>(a)) ^ unsigned(static_cast<short>(a)) << 3; break;
    case 14: asm("cvt.sat.s8.s32 %0, %1;" : "=r"(r) : "r"(a)); break;
    case 15: asm("cvt.sat.u16.s32 %0, %1;" : "=r"(r) : "r"(a)); break;
    case 16: asm("cvt.sat.s32.u32 %0, %1;" : "=r"(r) : "r"(a)); break;
    case 17: asm("cvt.sat.s32.s64 %0, %1;" : "=r"(r) : "l"(s)); break;
    case 18: asm("cvt.pack.sat.s8.s32.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(unsigned(u >> 32)), "r"(7u)); break;
    default: asm("cvt.pack.sat.u16.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(unsigned(u >> 32)));
  }
  give(out, r);
}

// small_floats <<<(256, 8), 256>>> in bits 4 out 524288 rows 8 exact
extern "C" __global__ void small_floats(const unsigned*, unsigned* out) {
  const auto every = static_cast<unsigned short>(ITEM);  // each of the 65,536 patterns
  const __half h = __ushort_as_half(every);
  const __nv_bfloat16 b = __ushort_as_bfloat16(every);
  unsigned r = 0;
  switch (ROW) {
    case 0: r = __float_as_uint(__half2float(h)); break;
    case 1: r = __float_as_uint(__bfloat162float(b)); break;
    case 2: r = unsigned(__half2int_rn(h)); break;
    case 3: r = unsigned(__half2short_rd(h)); break;
    case 4: r = __half2uint_ru(h); break;
    case 5: asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(r) : "h"(every)); break;
    case 6: asm("cvt.rn.relu.f16x2.e5m2x2 %0, %1;" : "=r"(r) : "h"(every)); break;
    default: r = __half_as_ushort(htrunc(h)) ^ unsigned(__half_as_ushort(hrint(h))) << 8 ^
                 unsigned(__half_as_ushort(hceil(h))) << 16;
  }
  give(out, r);
}
