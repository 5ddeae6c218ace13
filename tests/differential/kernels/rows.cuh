// What the programs share: each thread takes one input (or pair) and one row, and a row is one operation.
#pragma once

#define ROW blockIdx.y
#define ITEM (blockIdx.x * blockDim.x + threadIdx.x)
#define ITEMS (gridDim.x * blockDim.x)

template <class T>
__device__ T item(const unsigned* in, unsigned place) {
  return reinterpret_cast<const T*>(in)[place];
}

/// The result of this thread's row, in words of T.
template <class T>
__device__ void give(unsigned* out, T value) {
  reinterpret_cast<T*>(out)[ROW * ITEMS + ITEM] = value;
}
