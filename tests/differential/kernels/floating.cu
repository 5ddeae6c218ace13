// fp32 and fp64 by IEEE, with every rounding; compiled without contraction.
#include "rows.cuh"

// f32_rounding <<<(16, 24), 256>>> in f32 12288 out 98304 rows 24 exact
extern "C" __global__ void f32_rounding(const unsigned* in, unsigned* out) {
  const float a = item<float>(in, ITEM), b = item<float>(in, ITEM + ITEMS), c = item<float>(in, ITEM + 2 * ITEMS);
  float r = 0;
  switch (ROW) {
    case 0: r = __fadd_rn(a, b); break;
    case 1: r = __fadd_rz(a, b); break;
    case 2: r = __fadd_ru(a, b); break;
    case 3: r = __fadd_rd(a, b); break;
    case 4: r = __fmul_rn(a, b); break;
    case 5: r = __fmul_rz(a, b); break;
    case 6: r = __fmul_ru(a, b); break;
    case 7: r = __fmul_rd(a, b); break;
    case 8: r = __fmaf_rn(a, b, c); break;
    case 9: r = __fmaf_rz(a, b, c); break;
    case 10: r = __fmaf_ru(a, b, c); break;
    case 11: r = __fmaf_rd(a, b, c); break;
    case 12: r = __fdiv_rn(a, b); break;
    case 13: r = __fdiv_rz(a, b); break;
    case 14: r = __fdiv_ru(a, b); break;
    case 15: r = __fdiv_rd(a, b); break;
    case 16: r = __fsqrt_rn(a); break;
    case 17: r = __fsqrt_rz(a); break;
    case 18: r = __fsqrt_ru(a); break;
    case 19: r = __fsqrt_rd(a); break;
    case 20: r = __frcp_rn(a); break;
    case 21: r = __frcp_rz(a); break;
    case 22: r = __frcp_ru(a); break;
    default: r = __frcp_rd(a);
  }
  give(out, r);
}

// f64_rounding <<<(16, 24), 256>>> in f64 24576 out 196608 rows 24 exact
extern "C" __global__ void f64_rounding(const unsigned* in, unsigned* out) {
  const double a = item<double>(in, ITEM), b = item<double>(in, ITEM + ITEMS), c = item<double>(in, ITEM + 2 * ITEMS);
  double r = 0;
  switch (ROW) {
    case 0: r = __dadd_rn(a, b); break;
    case 1: r = __dadd_rz(a, b); break;
    case 2: r = __dadd_ru(a, b); break;
    case 3: r = __dadd_rd(a, b); break;
    case 4: r = __dmul_rn(a, b); break;
    case 5: r = __dmul_rz(a, b); break;
    case 6: r = __dmul_ru(a, b); break;
    case 7: r = __dmul_rd(a, b); break;
    case 8: r = __fma_rn(a, b, c); break;
    case 9: r = __fma_rz(a, b, c); break;
    case 10: r = __fma_ru(a, b, c); break;
    case 11: r = __fma_rd(a, b, c); break;
    case 12: r = __ddiv_rn(a, b); break;
    case 13: r = __ddiv_rz(a, b); break;
    case 14: r = __ddiv_ru(a, b); break;
    case 15: r = __ddiv_rd(a, b); break;
    case 16: r = __dsqrt_rn(a); break;
    case 17: r = __dsqrt_rz(a); break;
    case 18: r = __dsqrt_ru(a); break;
    case 19: r = __dsqrt_rd(a); break;
    case 20: r = __drcp_rn(a); break;
    case 21: r = __drcp_rz(a); break;
    case 22: r = __drcp_ru(a); break;
    default: r = __drcp_rd(a);
  }
  give(out, r);
}

#define PTX3(text, r, a, b, c) asm(text " %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c))
#define PTX2(text, r, a, b) asm(text " %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b))
#define PTX1(text, r, a) asm(text " %0, %1;" : "=f"(r) : "f"(a))

// f32_modes <<<(16, 24), 256>>> in f32 12288 out 98304 rows 24 exact
extern "C" __global__ void f32_modes(const unsigned* in, unsigned* out) {
  const float a = item<float>(in, ITEM), b = item<float>(in, ITEM + ITEMS), c = item<float>(in, ITEM + 2 * ITEMS);
  float r = 0;
  switch (ROW) {
    case 0: PTX2("add.rn.ftz.f32", r, a, b); break;
    case 1: PTX2("sub.rn.sat.f32", r, a, b); break;
    case 2: PTX2("mul.rn.ftz.sat.f32", r, a, b); break;
    case 3: PTX3("fma.rn.ftz.f32", r, a, b, c); break;
    case 4: PTX3("fma.rz.sat.f32", r, a, b, c); break;
    case 5: PTX2("div.rn.ftz.f32", r, a, b); break;
    case 6: PTX1("sqrt.rn.ftz.f32", r, a); break;
    case 7: PTX1("rcp.rn.ftz.f32", r, a); break;
    case 8: PTX2("min.f32", r, a, b); break;
    case 9: PTX2("max.f32", r, a, b); break;
    case 10: PTX2("min.NaN.f32", r, a, b); break;
    case 11: PTX2("max.ftz.NaN.f32", r, a, b); break;
    case 12: PTX2("min.xorsign.abs.f32", r, a, b); break;
    case 13: PTX1("abs.f32", r, a); break;
    case 14: PTX1("neg.ftz.f32", r, a); break;
    case 15: PTX2("copysign.f32", r, a, b); break;
    case 16: r = truncf(a) + floorf(b); break;
    case 17: r = rintf(a) - ceilf(b); break;
    case 18: PTX1("cvt.sat.f32.f32", r, a); break;
    case 19: r = nextafterf(a, b); break;
    case 20: r = fmodf(a, b); break;
    case 21: r = remainderf(a, b); break;
    case 22: r = roundf(a) + fdimf(b, c); break;
    default: r = ldexpf(a, int(ITEM % 300) - 150) + logbf(b);
  }
  give(out, r);
}

// f32_compare <<<(16, 1), 256>>> in f32 8192 out 4096 rows 1 exact
extern "C" __global__ void f32_compare(const unsigned* in, unsigned* out) {
  const float a = item<float>(in, ITEM), b = item<float>(in, ITEM + ITEMS);
  unsigned r = 0, one;
  r |= unsigned(a == b) | unsigned(a != b) << 1 | unsigned(a < b) << 2 | unsigned(a <= b) << 3 | unsigned(a > b) << 4 |
       unsigned(a >= b) << 5;
#define BIT(operator, place)                                                                                         \
  asm("{ .reg .pred p; setp." operator ".f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(one) : "f"(a), "f"(b)); \
  r |= one << place
  BIT("equ", 6); BIT("neu", 7); BIT("ltu", 8); BIT("leu", 9); BIT("gtu", 10); BIT("geu", 11); BIT("num", 12);
  BIT("nan", 13); BIT("lt.ftz", 14); BIT("eq.ftz", 15);
#define IS(kind, place)                                                                                     \
  asm("{ .reg .pred p; testp." kind ".f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(one) : "f"(a));       \
  r |= one << place
  IS("finite", 16); IS("infinite", 17); IS("number", 18); IS("notanumber", 19); IS("normal", 20); IS("subnormal", 21);
  asm("{ .reg .pred p, q; setp.lt.and.f32 p|q, %1, %2, 1; selp.u32 %0, 2, 0, p; @q add.u32 %0, %0, 1; }"
      : "=r"(one) : "f"(a), "f"(b));
  give(out, r | one << 24);
}

// f64_compare <<<(16, 1), 256>>> in f64 16384 out 4096 rows 1 exact
extern "C" __global__ void f64_compare(const unsigned* in, unsigned* out) {
  const double a = item<double>(in, ITEM), b = item<double>(in, ITEM + ITEMS);
  give(out, unsigned(a == b) | unsigned(a != b) << 1 | unsigned(a < b) << 2 | unsigned(!(a <= b)) << 3 |
                unsigned(!(a > b)) << 4 | unsigned(isnan(a)) << 5 | unsigned(isinf(b)) << 6 | unsigned(signbit(a) != 0) << 7);
}

// f64_modes <<<(16, 12), 256>>> in f64 16384 out 98304 rows 12 exact
extern "C" __global__ void f64_modes(const unsigned* in, unsigned* out) {
  const double a = item<double>(in, ITEM), b = item<double>(in, ITEM + ITEMS);
  double r = 0;
  switch (ROW) {
    case 0: r = fmin(a, b); break;
    case 1: r = fmax(a, b); break;
    case 2: r = fabs(a) - b; break;
    case 3: r = floor(a); break;
    case 4: r = ceil(a); break;
    case 5: r = rint(a); break;
    case 6: r = trunc(a); break;
    case 7: r = copysign(a, b); break;
    case 8: r = fmod(a, b); break;
    case 9: r = nextafter(a, b); break;
    case 10: r = ldexp(a, int(ITEM % 2200) - 1100); break;
    default: r = -a;
  }
  give(out, r);
}
