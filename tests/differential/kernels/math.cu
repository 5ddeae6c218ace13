// Approximate instructions and the functions made of them: within a bound, not bit for bit.
#include "rows.cuh"

#define PTX1(text, r, a) asm(text " %0, %1;" : "=f"(r) : "f"(a))

// approximate <<<(4, 14), 256>>> in f32 2048 out 14336 rows 14 f32 4
extern "C" __global__ void approximate(const unsigned* in, unsigned* out) {
  const float a = item<float>(in, ITEM), b = item<float>(in, ITEM + ITEMS);
  float r = 0;
  switch (ROW) {
    case 0: PTX1("rcp.approx.f32", r, a); break;
    case 1: PTX1("rcp.approx.ftz.f32", r, a); break;
    case 2: PTX1("sqrt.approx.f32", r, a); break;
    case 3: PTX1("sqrt.approx.ftz.f32", r, a); break;
    case 4: PTX1("rsqrt.approx.f32", r, a); break;
    case 5: PTX1("rsqrt.approx.ftz.f32", r, a); break;
    case 6: PTX1("ex2.approx.f32", r, a); break;
    case 7: PTX1("ex2.approx.ftz.f32", r, a); break;
    case 8: r = __fdividef(a, b); break;
    case 9: asm("div.full.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); break;
    case 10: asm("div.approx.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); break;
    case 11: asm("div.approx.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); break;
    case 12: asm("div.full.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); break;
    default: r = __frsqrt_rn(a);
  }
  give(out, r);
}

// absolute <<<(4, 4), 256>>> in angle 1024 out 4096 rows 4 absolute 2e-6
extern "C" __global__ void absolute(const unsigned* in, unsigned* out) {
  const float a = item<float>(in, ITEM);
  float r = 0;
  switch (ROW) {
    case 0: PTX1("sin.approx.f32", r, a); break;
    case 1: PTX1("cos.approx.f32", r, a); break;
    case 2: PTX1("lg2.approx.f32", r, fabsf(a) + 0.01F); break;
    default: PTX1("lg2.approx.ftz.f32", r, fabsf(a) * 0.3F + 0.001F);
  }
  give(out, r);
}

// tanh_approx <<<(4, 1), 256>>> in angle 1024 out 1024 rows 1 relative 1e-3
extern "C" __global__ void tanh_approx(const unsigned* in, unsigned* out) {
  float r = 0;
  PTX1("tanh.approx.f32", r, item<float>(in, ITEM));
  give(out, r);
}

// functions_f32 <<<(4, 20), 256>>> in angle 2048 out 20480 rows 20 f32 6
extern "C" __global__ void functions_f32(const unsigned* in, unsigned* out) {
  const float a = item<float>(in, ITEM), b = fabsf(item<float>(in, ITEM + ITEMS)) + 0.125F;
  float r = 0;
  switch (ROW) {
    case 0: r = sinf(a); break;
    case 1: r = cosf(a * 1000.0F); break;
    case 2: r = tanf(a * 0.1F); break;
    case 3: r = expf(a); break;
    case 4: r = exp2f(a * 0.5F); break;
    case 5: r = logf(b); break;
    case 6: r = log2f(b); break;
    case 7: r = log10f(b); break;
    case 8: r = powf(b, a * 0.1F); break;
    case 9: r = atan2f(a, b); break;
    case 10: r = asinf(sinf(a) * 0.99F); break;
    case 11: r = sinhf(a * 0.2F); break;
    case 12: r = tanhf(a); break;
    case 13: r = erff(a * 0.1F); break;
    case 14: r = tgammaf(b); break;
    case 15: r = cbrtf(a); break;
    case 16: r = hypotf(a, b); break;
    case 17: r = log1pf(b); break;
    case 18: r = expm1f(a * 0.01F); break;
    default: r = rsqrtf(b);
  }
  give(out, r);
}

// functions_f64 <<<(4, 16), 256>>> in f64angle 4096 out 32768 rows 16 f64 4
extern "C" __global__ void functions_f64(const unsigned* in, unsigned* out) {
  const double a = item<double>(in, ITEM), b = fabs(item<double>(in, ITEM + ITEMS)) + 0.125;
  double r = 0;
  switch (ROW) {
    case 0: r = sin(a); break;
    case 1: r = cos(a * 1000.0); break;
    case 2: r = tan(a * 0.1); break;
    case 3: r = exp(a); break;
    case 4: r = log(b); break;
    case 5: r = pow(b, a * 0.1); break;
    case 6: r = atan2(a, b); break;
    case 7: r = sinh(a * 0.2); break;
    case 8: r = tanh(a); break;
    case 9: r = erf(a * 0.1); break;
    case 10: r = lgamma(b); break;
    case 11: r = cbrt(a); break;
    case 12: r = hypot(a, b); break;
    case 13: r = log1p(b); break;
    case 14: r = rsqrt(b); break;
    default: r = acos(sin(a) * 0.99);
  }
  give(out, r);
}
