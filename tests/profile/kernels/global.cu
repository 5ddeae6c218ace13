// One load and one store a thread: requests and sectors of global memory follow from the arguments alone.
#include "parameters.hpp"

// p: stride, q: offset, both in elements. The load takes a neighbour's element, so that nothing can be left out.
#define STRIDED(W, T)                                     \
  extern "C" __global__ void strided_##W(PARAMETERS(T)) { \
    const unsigned i = global_thread();                   \
    out[i * p + q] = in[(i ^ 1) * p + q];                 \
  }
FOR_EACH_WIDTH(STRIDED)

// 2^p neighbours load the same element.
#define BROADCAST(W, T)                                     \
  extern "C" __global__ void broadcast_##W(PARAMETERS(T)) { \
    const unsigned i = global_thread();                     \
    out[i] = in[i >> p];                                    \
  }
FOR_EACH_WIDTH(BROADCAST)

// A permutation of the elements, of which there are r + 1, a power of two: p is odd.
#define PERMUTED(W, T)                                           \
  extern "C" __global__ void permuted_load_##W(PARAMETERS(T)) {  \
    const unsigned i = global_thread();                          \
    out[i] = in[(i * p + q) & r];                                \
  }                                                              \
  extern "C" __global__ void permuted_store_##W(PARAMETERS(T)) { \
    const unsigned i = global_thread();                          \
    out[(i * p + q) & r] = in[i];                                \
  }
FOR_EACH_WIDTH(PERMUTED)

// Loads anywhere among r + 1 elements; several lanes may take the same one.
#define HASHED(W, T)                                     \
  extern "C" __global__ void hashed_##W(PARAMETERS(T)) { \
    const unsigned i = global_thread();                  \
    out[i] = in[hashed(i + p) & r];                      \
  }
FOR_EACH_WIDTH(HASHED)

// A gather by a list, as programs have it: two loads, one of them of 4 bytes.
#define GATHER(W, T)                                     \
  extern "C" __global__ void gather_##W(PARAMETERS(T)) { \
    const unsigned i = global_thread();                  \
    out[i] = in[index[i]];                               \
  }
FOR_EACH_WIDTH(GATHER)

// Lanes p, p + r, p + 2 * r ... below q of each warp do it.
#define SOME_LANES(W, T)                                              \
  extern "C" __global__ void some_lanes_##W(PARAMETERS(T)) {          \
    const unsigned i = global_thread(), lane = threadIdx.x % 32;      \
    if (lane >= p && lane < q && (lane - p) % r == 0) out[i] = in[i]; \
  }
FOR_EACH_WIDTH(SOME_LANES)
