// Local memory: arrays that are indexed by what no compiler knows.
#include "parameters.hpp"

// All lanes use the same element in each round. p: rounds, at most 32.
extern "C" __global__ void local_same(PARAMETERS(unsigned)) {
  volatile unsigned array[32];
  const unsigned i = global_thread();
#pragma unroll 1
  for (unsigned k = 0; k < p; ++k) array[k] = k + i;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < p; ++k) sum = sum * 3 + array[p - 1 - k];
  out[i] = sum;
}

// Each lane uses an element of its own.
extern "C" __global__ void local_different(PARAMETERS(unsigned)) {
  volatile unsigned array[32];
  const unsigned i = global_thread();
#pragma unroll 1
  for (unsigned k = 0; k < p; ++k) array[(k + i) % 32] = k;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < p; ++k) sum = sum * 3 + array[(k + i) % 32];
  out[i] = sum;
}

// An ordinary array: ptxas may join what PTX does one by one.
extern "C" __global__ void local_plain(PARAMETERS(unsigned)) {
  unsigned array[8];
  const unsigned i = global_thread();
  for (unsigned k = 0; k < 8; ++k) array[k] = in[i] + k;
  array[index[i] % 8] = 5;
  out[i] = array[p % 8] + array[q % 8];
}
