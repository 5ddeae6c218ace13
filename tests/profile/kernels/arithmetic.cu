// Arithmetic by kind. The intrinsics name the instruction, so that none is fused. p: rounds.
#include "parameters.hpp"

#define ROUNDS _Pragma("unroll 1") for (unsigned k = 0; k < p; ++k)

extern "C" __global__ void single_precision(PARAMETERS(float)) {
  const unsigned i = global_thread();
  float a = in[i], b = 1.5f + i, c = 0.25f * i;
  ROUNDS {
    a = __fmaf_rn(a, b, c);
    b = __fadd_rn(b, a);
    c = __fmul_rn(c, b);
  }
  out[i] = a + b + c;
}

extern "C" __global__ void double_precision(PARAMETERS(double)) {
  const unsigned i = global_thread();
  double a = in[i], b = 1.5 + i, c = 0.25 * i;
  ROUNDS {
    a = __fma_rn(a, b, c);
    b = __dadd_rn(b, a);
    c = __dmul_rn(c, b);
  }
  out[i] = a + b + c;
}

extern "C" __global__ void polynomial(PARAMETERS(float)) {
  const unsigned i = global_thread();
  const float x = in[i];
  float sum = 0;
  ROUNDS sum = sum * x + 1;
  out[i] = sum;
}
