// One store to and one load from shared memory a thread. A block is one warp, so that no other's accesses wait for the
// same part of the hardware.
#include "parameters.hpp"

// p: stride, q: offset, both in elements.
#define STRIDED(W, T)                                                   \
  extern "C" __global__ void shared_strided_##W(PARAMETERS(unsigned)) { \
    __shared__ T tile[2048];                                            \
    const unsigned lane = threadIdx.x;                                  \
    tile[lane * p + q] = made<T>(lane);                                 \
    __syncthreads();                                                    \
    out[global_thread()] = folded<T>(tile[(lane ^ 1) * p + q]);         \
  }
FOR_EACH_WIDTH(STRIDED)

// 2^p neighbours load the same element.
#define BROADCAST(W, T)                                                   \
  extern "C" __global__ void shared_broadcast_##W(PARAMETERS(unsigned)) { \
    __shared__ T tile[32];                                                \
    const unsigned lane = threadIdx.x;                                    \
    tile[lane] = made<T>(lane);                                           \
    __syncthreads();                                                      \
    out[global_thread()] = folded<T>(tile[lane >> p]);                    \
  }
FOR_EACH_WIDTH(BROADCAST)

// A permutation of r + 1 elements, 32 or more and a power of two: p is odd. Stored by it, loaded by it from a
// neighbour.
#define PERMUTED(W, T)                                                   \
  extern "C" __global__ void shared_permuted_##W(PARAMETERS(unsigned)) { \
    __shared__ T tile[1024];                                             \
    const unsigned lane = threadIdx.x;                                   \
    tile[(lane * p + q) & r] = made<T>(lane);                            \
    __syncthreads();                                                     \
    out[global_thread()] = folded<T>(tile[((lane ^ 1) * p + q) & r]);    \
  }
FOR_EACH_WIDTH(PERMUTED)

// Loads anywhere among r + 1 elements, at most 1024, which are stored without conflicts before, p at a time.
#define HASHED(W, T)                                                                         \
  extern "C" __global__ void shared_hashed_##W(PARAMETERS(unsigned)) {                       \
    __shared__ T tile[1024];                                                                 \
    _Pragma("unroll 1") for (unsigned i = threadIdx.x; i <= r; i += p) tile[i] = made<T>(i); \
    __syncthreads();                                                                         \
    out[global_thread()] = folded<T>(tile[hashed(threadIdx.x + q) & r]);                     \
  }
FOR_EACH_WIDTH(HASHED)

// Lanes p, p + r, p + 2 * r ... below q load, each from the element lane * 4: of 4 bytes, a bank has 4 of a warp's.
#define SOME_LANES(W, T)                                                                                      \
  extern "C" __global__ void shared_some_lanes_##W(PARAMETERS(unsigned)) {                                    \
    __shared__ T tile[128];                                                                                   \
    const unsigned lane = threadIdx.x;                                                                        \
    tile[lane * 4] = made<T>(lane);                                                                           \
    __syncthreads();                                                                                          \
    if (lane >= p && lane < q && (lane - p) % r == 0) out[global_thread()] = folded<T>(tile[(lane ^ 1) * 4]); \
  }
FOR_EACH_WIDTH(SOME_LANES)

// A matrix of 32x32 in shared memory, written by rows and read by columns: plain, padded, swizzled.
#define COLUMNS(NAME, WIDTH, ROW_PLACE, COLUMN_PLACE)                                                             \
  extern "C" __global__ void NAME(PARAMETERS(unsigned)) {                                                         \
    __shared__ unsigned tile[32][WIDTH];                                                                          \
    const unsigned lane = threadIdx.x;                                                                            \
    _Pragma("unroll 1") for (unsigned row = 0; row < p; ++row) tile[row][ROW_PLACE] = row * 32 + lane;            \
    __syncthreads();                                                                                              \
    unsigned sum = 0;                                                                                             \
    _Pragma("unroll 1") for (unsigned column = 0; column < p; ++column) sum = sum * 3 + tile[lane][COLUMN_PLACE]; \
    out[global_thread()] = sum;                                                                                   \
  }
COLUMNS(columns_plain, 32, lane, column)
COLUMNS(columns_padded, 33, lane, column)
COLUMNS(columns_padded_by_4, 36, lane, column)
COLUMNS(columns_swizzled, 32, lane ^ row, lane ^ column)

// Rows of 8 elements of 16 bytes, as for ldmatrix: 8 rows are read at one column, plain and swizzled.
#define QUADS(NAME, ROW_PLACE, COLUMN_PLACE)                                                     \
  extern "C" __global__ void NAME(PARAMETERS(unsigned)) {                                        \
    __shared__ uint4 tile[32][8];                                                                \
    const unsigned lane = threadIdx.x, place = lane % 8;                                         \
    _Pragma("unroll 1") for (unsigned row = lane / 8; row < 32; row += p) tile[row][ROW_PLACE] = \
        made<uint4>(row * 8 + place);                                                            \
    __syncthreads();                                                                             \
    unsigned sum = 0;                                                                            \
    _Pragma("unroll 1") for (unsigned column = 0; column < q; ++column) sum =                    \
        sum * 3 + folded<uint4>(tile[lane][COLUMN_PLACE]);                                       \
    out[global_thread()] = sum;                                                                  \
  }
QUADS(quads_plain, place, column)
QUADS(quads_swizzled, place ^ (row % 8), column ^ (lane % 8))
