// Branches that lanes of a warp take differently. Each side has a loop whose length no compiler knows, and arithmetic
// of its own, so that ptxas can neither predicate nor join the sides.
#include "parameters.hpp"

#define SIDE(TIMES, STEP) _Pragma("unroll 1") for (unsigned k = 0; k < (TIMES); ++k) value = STEP

// p: rounds of each side, at least 1.
extern "C" __global__ void two_ways(PARAMETERS(unsigned)) {
  const unsigned i = global_thread();
  unsigned value = in[i];
  if (threadIdx.x & q) {
    SIDE(p, value * 3 + 1);
  } else {
    SIDE(p, (value ^ 0x55u) + (value >> 3));
  }
  out[i] = value;
}

// Four leaves by two bits of the lane.
extern "C" __global__ void four_leaves(PARAMETERS(unsigned)) {
  const unsigned i = global_thread();
  unsigned value = in[i];
  if (threadIdx.x & q) {
    if (threadIdx.x & r) {
      SIDE(p, value * 3 + 1);
    } else {
      SIDE(p, (value ^ 0x55u) + (value >> 3));
    }
  } else {
    if (threadIdx.x & r) {
      SIDE(p, value * 5 + (value >> 7));
    } else {
      SIDE(p, value - (value << 2));
    }
  }
  out[i] = value;
}

// One side only, with a load and a store in it. p: elements between them.
extern "C" __global__ void one_side(PARAMETERS(unsigned)) {
  const unsigned i = global_thread();
  if (threadIdx.x & q) {
    unsigned value = in[i];
    SIDE(p, value * 3 + 1);
    out[i] = value;
  }
}

// Each lane has a number of rounds of its own; each round loads.
extern "C" __global__ void ragged(PARAMETERS(unsigned)) {
  const unsigned i = global_thread();
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < index[i]; ++k) sum = sum * 3 + in[k * p + i];
  out[i] = sum;
}

// Rows of different lengths, as in sparse matrices: lane i has the elements from index[i] to index[i + 1].
extern "C" __global__ void rows(PARAMETERS(unsigned)) {
  const unsigned i = global_thread();
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned k = index[i]; k < index[i + 1]; ++k) sum = sum * 3 + in[k];
  out[i] = sum;
}

// Threads beyond p leave at once.
extern "C" __global__ void guarded(PARAMETERS(unsigned)) {
  const unsigned i = global_thread();
  if (i >= p) return;
  unsigned value = in[i];
  SIDE(q, value * 3 + 1);
  out[i] = value;
}

// Until the value is small: as many rounds as the data says.
extern "C" __global__ void data_dependent(PARAMETERS(unsigned)) {
  const unsigned i = global_thread();
  unsigned value = in[i] % p + 1, rounds = 0;
#pragma unroll 1
  while (value != 1) {
    value = value & 1 ? 3 * value + 1 : value / 2;
    ++rounds;
  }
  out[i] = rounds;
}

extern "C" __global__ void switched(PARAMETERS(unsigned)) {
  const unsigned i = global_thread();
  unsigned value = in[i];
  switch (index[i] % 6) {
    case 0:
      SIDE(p, value * 3 + 1);
      break;
    case 1:
      SIDE(p, (value ^ 0x55u) + (value >> 3));
      break;
    case 2:
      SIDE(p, value * 5 + (value >> 7));
      break;
    case 3:
      SIDE(p, value - (value << 2));
      break;
    case 4:
      SIDE(p, value * 7 ^ (value >> 9));
      break;
    default:
      SIDE(p, value * 9 + (value << 5));
      break;
  }
  out[i] = value;
}

// A short side: ptxas predicates it, PTX has a branch or a selection.
extern "C" __global__ void short_side(PARAMETERS(unsigned)) {
  const unsigned i = global_thread();
  unsigned value = in[i];
  if (value & 1) out[i] = value * 3;
}
