// Constant memory: one address a warp, or several.
#include "parameters.hpp"

__constant__ unsigned table[256];

extern "C" __global__ void constant_strided(PARAMETERS(unsigned)) {
  const unsigned i = global_thread();
  out[i] = table[(threadIdx.x * p + q) % 256];
}
