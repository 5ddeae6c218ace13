// Atomics: 2^p neighbours meet on one element. The address depends on arguments, so that no compiler joins the lanes.
#include "parameters.hpp"

// T: what the memory holds. RESULT: the old value goes somewhere (atom) or nowhere (red).
#define GLOBAL(NAME, T, CALL)                                  \
  extern "C" __global__ void NAME(PARAMETERS(unsigned)) {      \
    const unsigned i = global_thread();                        \
    T* const place = reinterpret_cast<T*>(out) + (i >> p) * q; \
    CALL;                                                      \
  }
#define KEPT(EXPRESSION) const_cast<unsigned*>(in)[i] = static_cast<unsigned>(EXPRESSION)
GLOBAL(global_add, unsigned, atomicAdd(place, i))
GLOBAL(global_add_kept, unsigned, KEPT(atomicAdd(place, i)))
GLOBAL(global_add_64, unsigned long long, atomicAdd(place, i))
GLOBAL(global_add_64_kept, unsigned long long, KEPT(atomicAdd(place, i)))
GLOBAL(global_add_float, float, atomicAdd(place, 1.0f))
GLOBAL(global_exchange, unsigned, KEPT(atomicExch(place, i)))
GLOBAL(global_compare, unsigned, KEPT(atomicCAS(place, i, i + 1)))

#define SHARED(NAME, T, CALL)                             \
  extern "C" __global__ void NAME(PARAMETERS(unsigned)) { \
    __shared__ T tile[1024];                              \
    const unsigned i = threadIdx.x;                       \
    T* const place = tile + (i >> p) * q;                 \
    *place = 0;                                           \
    __syncthreads();                                      \
    CALL;                                                 \
    __syncthreads();                                      \
    out[global_thread()] = static_cast<unsigned>(*place); \
  }
#define KEPT_IN_SHARED(EXPRESSION)                        \
  const unsigned old = static_cast<unsigned>(EXPRESSION); \
  const_cast<unsigned*>(in)[global_thread()] = old
SHARED(shared_add, unsigned, atomicAdd(place, i))
SHARED(shared_add_kept, unsigned, KEPT_IN_SHARED(atomicAdd(place, i)))
SHARED(shared_max, unsigned, atomicMax(place, i))
SHARED(shared_exchange, unsigned, KEPT_IN_SHARED(atomicExch(place, i)))
SHARED(shared_compare, unsigned, KEPT_IN_SHARED(atomicCAS(place, i, i + 1)))
SHARED(shared_add_64, unsigned long long, atomicAdd(place, i))
SHARED(shared_add_float, float, atomicAdd(place, 1.0f))
