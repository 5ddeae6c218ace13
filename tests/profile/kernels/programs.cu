// Small programs as they are taught. p: the side of a matrix, or the number of elements.
#include "parameters.hpp"

extern "C" __global__ void saxpy(PARAMETERS(float)) {
  const unsigned i = global_thread();
  if (i < p) out[i] = 2.0f * in[i] + out[i];
}

extern "C" __global__ void multiply_naive(PARAMETERS(float)) {
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < p; ++k) sum += in[row * p + k] * in[p * p + k * p + column];
  out[row * p + column] = sum;
}

extern "C" __global__ void multiply_tiled(PARAMETERS(float)) {
  __shared__ float a[16][16], b[16][16];
  const unsigned column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
#pragma unroll 1
  for (unsigned tile = 0; tile < p; tile += 16) {
    a[threadIdx.y][threadIdx.x] = in[row * p + tile + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = in[p * p + (tile + threadIdx.y) * p + column];
    __syncthreads();
#pragma unroll 1
    for (unsigned k = 0; k < q; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];  // q is 16
    __syncthreads();
  }
  out[row * p + column] = sum;
}

// The same with a length that the compiler knows: ptxas joins loads of a row.
extern "C" __global__ void multiply_unrolled(PARAMETERS(float)) {
  __shared__ float a[16][16], b[16][16];
  const unsigned column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
#pragma unroll 1
  for (unsigned tile = 0; tile < p; tile += 16) {
    a[threadIdx.y][threadIdx.x] = in[row * p + tile + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = in[p * p + (tile + threadIdx.y) * p + column];
    __syncthreads();
    for (unsigned k = 0; k < 16; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  out[row * p + column] = sum;
}

extern "C" __global__ void transpose_naive(PARAMETERS(float)) {
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  out[column * p + row] = in[row * p + column];
}

// Blocks of 32x8 threads; each thread has four elements.
#define TRANSPOSE(NAME, WIDTH)                                                                              \
  extern "C" __global__ void NAME(PARAMETERS(float)) {                                                      \
    __shared__ float tile[32][WIDTH];                                                                       \
    const unsigned x = blockIdx.x * 32, y = blockIdx.y * 32;                                                \
    _Pragma("unroll 1") for (unsigned k = threadIdx.y; k < 32; k += q) tile[k][threadIdx.x] =               \
        in[(y + k) * p + x + threadIdx.x];                                                                  \
    __syncthreads();                                                                                        \
    _Pragma("unroll 1") for (unsigned k = threadIdx.y; k < 32; k += q) out[(x + k) * p + y + threadIdx.x] = \
        tile[threadIdx.x][k];                                                                               \
  }
TRANSPOSE(transpose_tiled, 32)
TRANSPOSE(transpose_padded, 33)

// index: a value below 64 for each element.
extern "C" __global__ void histogram_global(PARAMETERS(unsigned)) {
  const unsigned i = global_thread();
  if (i < p) atomicAdd(out + index[i], 1);
}

extern "C" __global__ void histogram_shared(PARAMETERS(unsigned)) {
  __shared__ unsigned bins[64];
  if (threadIdx.x < 64) bins[threadIdx.x] = 0;
  __syncthreads();
  const unsigned i = global_thread();
  if (i < p) atomicAdd(bins + index[i], 1);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(out + threadIdx.x, bins[threadIdx.x]);
}

// q: threads of the block.
extern "C" __global__ void sum_interleaved(PARAMETERS(float)) {
  __shared__ float sums[256];
  sums[threadIdx.x] = in[global_thread()];
  __syncthreads();
#pragma unroll 1
  for (unsigned step = 1; step < q; step *= 2) {
    if (threadIdx.x % (2 * step) == 0) sums[threadIdx.x] += sums[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

extern "C" __global__ void sum_strided_index(PARAMETERS(float)) {
  __shared__ float sums[256];
  sums[threadIdx.x] = in[global_thread()];
  __syncthreads();
#pragma unroll 1
  for (unsigned step = 1; step < q; step *= 2) {
    const unsigned place = 2 * step * threadIdx.x;
    if (place < q) sums[place] += sums[place + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

extern "C" __global__ void sum_sequential(PARAMETERS(float)) {
  __shared__ float sums[256];
  sums[threadIdx.x] = in[global_thread()];
  __syncthreads();
#pragma unroll 1
  for (unsigned step = q / 2; step != 0; step /= 2) {
    if (threadIdx.x < step) sums[threadIdx.x] += sums[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

extern "C" __global__ void sum_by_shuffles(PARAMETERS(float)) {
  float sum = in[global_thread()];
  for (int step = 16; step != 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

// Three neighbours, from shared memory with a halo. in has p + 2 elements.
extern "C" __global__ void stencil(PARAMETERS(float)) {
  __shared__ float row[258];
  const unsigned i = global_thread(), t = threadIdx.x;
  row[t] = in[i];
  if (t < 2) row[blockDim.x + t] = in[i + blockDim.x];
  __syncthreads();
  out[i] = row[t] + row[t + 1] + row[t + 2];
}

extern "C" __global__ void scan(PARAMETERS(unsigned)) {
  __shared__ unsigned sums[256];
  const unsigned t = threadIdx.x;
  sums[t] = in[global_thread()];
  __syncthreads();
#pragma unroll 1
  for (unsigned step = 1; step < q; step *= 2) {
    const unsigned add = t >= step ? sums[t - step] : 0;
    __syncthreads();
    sums[t] += add;
    __syncthreads();
  }
  out[global_thread()] = sums[t];
}

extern "C" __global__ void bitonic_sort(PARAMETERS(unsigned)) {
  __shared__ unsigned keys[256];
  const unsigned t = threadIdx.x;
  keys[t] = in[global_thread()];
  __syncthreads();
#pragma unroll 1
  for (unsigned size = 2; size <= q; size *= 2)
#pragma unroll 1
    for (unsigned step = size / 2; step != 0; step /= 2) {
      const unsigned other = t ^ step;
      if (other > t) {
        const unsigned a = keys[t], b = keys[other];
        if ((a > b) == ((t & size) == 0)) {
          keys[t] = b;
          keys[other] = a;
        }
      }
      __syncthreads();
    }
  out[global_thread()] = keys[t];
}

// index: where each row begins, p + 1 words; columns below p are made up.
extern "C" __global__ void sparse_rows(PARAMETERS(float)) {
  const unsigned row = global_thread();
  if (row >= p) return;
  float sum = 0;
#pragma unroll 1
  for (unsigned k = index[row]; k < index[row + 1]; ++k) sum += in[hashed(k) % p] * in[k];
  out[row] = sum;
}
