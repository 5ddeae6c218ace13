// What manuals leave open, and instructions that no C++ expression becomes.
#include <cuda_fp16.h>
#include "rows.cuh"

// by_zero <<<(4, 8), 256>>> in bits 2048 out 16384 rows 8 exact
extern "C" __global__ void by_zero(const unsigned* in, unsigned* out) {
  const unsigned a = in[ITEM], b = ITEM & 1 ? 0 : in[ITEM + ITEMS];
  const auto wide = static_cast<unsigned long long>(a) << 32 | in[ITEM + ITEMS];
  const unsigned long long divisor = b;
  unsigned long long r = 0;
  unsigned word = 0;
  switch (ROW) {
    case 0: asm("div.u32 %0, %1, %2;" : "=r"(word) : "r"(a), "r"(b)); break;
    case 1: asm("rem.u32 %0, %1, %2;" : "=r"(word) : "r"(a), "r"(b)); break;
    case 2: asm("div.s32 %0, %1, %2;" : "=r"(word) : "r"(a), "r"(b)); break;
    case 3: asm("rem.s32 %0, %1, %2;" : "=r"(word) : "r"(a), "r"(b)); break;
    case 4: asm("div.u64 %0, %1, %2;" : "=l"(r) : "l"(wide), "l"(divisor)); break;
    case 5: asm("rem.u64 %0, %1, %2;" : "=l"(r) : "l"(wide), "l"(divisor)); break;
    case 6: asm("div.s64 %0, %1, %2;" : "=l"(r) : "l"(wide), "l"(divisor)); break;
    default: asm("rem.s64 %0, %1, %2;" : "=l"(r) : "l"(wide), "l"(divisor));
  }
  give(out, r | word);
}

// to_the_least <<<(2, 8), 256>>> in bits 512 out 4096 rows 8 exact
extern "C" __global__ void to_the_least(const unsigned* in, unsigned* out) {
  // Around the least normal number, where flushing and rounding meet.
  const float least = __uint_as_float(0x00800000), near = __uint_as_float(0x3F7FFF80 + (in[ITEM] & 0xFF));
  const float small = __uint_as_float(in[ITEM] & 0x00FFFFFF);
  float r = 0;
  switch (ROW) {
    case 0: asm("mul.rn.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(near), "f"(least)); break;
    case 1: asm("mul.rz.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(near), "f"(least)); break;
    case 2: asm("mul.rp.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(near), "f"(least)); break;
    case 3: asm("fma.rn.ftz.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(near), "f"(least), "f"(0.0F)); break;
    case 4: asm("add.rn.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(least * 1.5F), "f"(-least * near)); break;
    case 5: asm("fma.rp.ftz.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(near), "f"(least), "f"(small)); break;
    case 6: asm("div.rn.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(least), "f"(1.0F + small)); break;
    default: asm("cvt.ftz.f32.f32 %0, %1;" : "=f"(r) : "f"(small));
  }
  give(out, r);
}

// relu <<<(2, 6), 256>>> in f16 1536 out 3072 rows 6 exact
extern "C" __global__ void relu(const unsigned* in, unsigned* out) {
  const unsigned a = in[ITEM], b = in[ITEM + ITEMS], c = in[ITEM + 2 * ITEMS];
  unsigned r = 0;
  switch (ROW) {
    case 0: asm("fma.rn.relu.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0x80008000u)); break;
    case 1: asm("fma.rn.relu.bf16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); break;
    case 2: asm("cvt.rn.relu.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(-0.0F), "f"(__uint_as_float(a))); break;
    case 3: asm("cvt.rn.relu.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(-0.0F), "f"(__uint_as_float(a))); break;
    case 4: asm("fma.rn.ftz.relu.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); break;
    default: asm("max.xorsign.abs.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  }
  give(out, r);
}

// approximate_f64 <<<(4, 2), 256>>> in f64 2048 out 4096 rows 2 f64 34359738368
extern "C" __global__ void approximate_f64(const unsigned* in, unsigned* out) {
  const double a = item<double>(in, ITEM);
  double r = 0;
  if (ROW == 0)
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(a));
  else
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(a));
  give(out, r);  // of the upper word all but the last bits
}

#define VIDEO(text) asm(text " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c))

// video <<<(4, 20), 256>>> in bits 3072 out 20480 rows 20 exact
extern "C" __global__ void video(const unsigned* in, unsigned* out) {
  const unsigned a = in[ITEM], b = in[ITEM + ITEMS], c = in[ITEM + 2 * ITEMS];
  unsigned r = 0;
  switch (ROW) {
    case 0: VIDEO("vadd.s32.u32.s32.sat.add"); break;
    case 1: asm("vsub.u32.s32.u32.sat.min %0, %1.b2, %2.h1, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); break;
    case 2: asm("vabsdiff.s32.s32.s32.add %0, %1.h0, %2.b3, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); break;
    case 3: asm("vmin.s32.s32.s32 %0.b1, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); break;
    case 4: asm("vmax.u32.u32.u32 %0.h1, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); break;
    case 5: VIDEO("vshl.u32.u32.u32.clamp.add"); break;
    case 6: VIDEO("vshr.s32.s32.u32.wrap.max"); break;
    case 7: asm("vmad.s32.s32.s32.shr7 %0, %1.h0, %2.h1, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); break;
    case 8: asm("vmad.u32.u32.u32.sat.shr15 %0, %1.b0, %2.b3, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); break;
    case 9: VIDEO("vset.s32.u32.lt.add"); break;
    case 10: VIDEO("vadd2.s32.s32.s32.sat"); break;
    case 11: VIDEO("vsub2.u32.u32.s32.add"); break;
    case 12: VIDEO("vavrg2.s32.s32.s32"); break;
    case 13: VIDEO("vabsdiff2.u32.u32.u32.add"); break;
    case 14: VIDEO("vmin4.s32.s32.s32"); break;
    case 15: VIDEO("vmax4.u32.u32.s32.sat"); break;
    case 16: VIDEO("vabsdiff4.s32.s32.s32.add"); break;
    case 17: VIDEO("vset4.u32.u32.ge"); break;
    case 18: VIDEO("vset2.s32.s32.ne.add"); break;
    default: VIDEO("vavrg4.u32.u32.u32.add");
  }
  give(out, r);
}

// seldom <<<(4, 20), 256>>> in bits 3072 out 20480 rows 20 exact
extern "C" __global__ void seldom(const unsigned* in, unsigned* out) {
  const unsigned a = in[ITEM], b = in[ITEM + ITEMS], c = in[ITEM + 2 * ITEMS];
  unsigned r = 0;
  float f = 0;
  switch (ROW) {
    case 0: asm("prmt.b32.b4e %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c & 3)); break;
    case 1: asm("prmt.b32.rc8 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c & 3)); break;
    case 2: asm("prmt.b32.ecl %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c & 3)); break;
    case 3: asm("prmt.b32.ecr %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); break;
    case 4: asm("cnot.b32 %0, %1;" : "=r"(r) : "r"(a & 3)); break;
    case 5: asm("{ .reg .pred p, q; setp.ne.u32 q, %3, 0; lop3.and.b32 %0|p, %1, %2, %3, 0x96, q; @p xor.b32 %0, %0, 1; }" : "=r"(r) : "r"(a), "r"(b), "r"(c)); break;
    case 6: asm("mul24.hi.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); break;
    case 7: asm("mad24.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); break;
    case 8: asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); break;
    case 9: asm("dp2a.hi.s32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); break;
    case 10: asm("set.lt.u32.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); break;
    case 11: asm("set.ge.f32.u32 %0, %1, %2;" : "=f"(f) : "r"(a), "r"(b)); r = __float_as_uint(f); break;
    case 12: asm("slct.u32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); break;
    case 13: asm("slct.ftz.u32.f32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "f"(__uint_as_float(c))); break;
    case 14: asm("fns.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b & 31), "r"((c & 7) - 3)); break;
    case 15: asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); break;
    case 16: asm("szext.clamp.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); break;
    case 17: asm("{ .reg .b16 x, y; mov.b32 {x, y}, %1; cvt.sat.u8.u16 x, x; cvt.s32.s8 %0, y; mov.b32 %0, {x, y}; }" : "=r"(r) : "r"(a)); break;
    case 18: asm("{ .reg .pred p, q; setp.gt.or.s32 p|q, %1, %2, 0; selp.u32 %0, 1, 2, p; @q add.u32 %0, %0, 4; }" : "=r"(r) : "r"(a), "r"(b)); break;
    default: asm("{ .reg .b32 t; min.s16x2 t, %1, %2; add.u16x2 %0, t, %3; }" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  }
  give(out, r);
}

// vector_reductions <<<4, 128>>> in bits 512 out 16 rows 1 exact
extern "C" __global__ void vector_reductions(const unsigned* in, unsigned* out) {
  const float f = float(in[blockIdx.x * 128 + threadIdx.x] & 3);
  asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %1, %2};" ::"l"(out), "f"(f), "f"(f * 2) : "memory");
  asm volatile("red.global.add.noftz.v2.f16x2 [%0], {%1, %2};" ::"l"(out + 4), "r"(0x3C000000u), "r"(0x00003C00u) : "memory");
  asm volatile("red.global.max.u64 [%0], %1;" ::"l"(out + 6), "l"(static_cast<unsigned long long>(in[threadIdx.x])) : "memory");
}
