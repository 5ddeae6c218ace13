// What every kernel of the suite takes, so that one host program launches them all. `index` holds words below a limit,
// p, q and r are what the case says: no compiler knows them.
#pragma once

#define PARAMETERS(T) T *out, const T *in, const unsigned *index, unsigned p, unsigned q, unsigned r

__device__ inline unsigned global_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

// A fixed hash: neighbours go far apart, and some meet.
__device__ inline unsigned hashed(unsigned i) {
  i *= 2654435761u;
  i ^= i >> 15;
  i *= 2246822519u;
  return i ^ (i >> 13);
}

// Values of each width from a word, and back.
template <class T>
__device__ T made(unsigned word) {
  return static_cast<T>(word);
}
template <>
__device__ inline uint2 made<uint2>(unsigned word) {
  return {word, ~word};
}
template <>
__device__ inline uint4 made<uint4>(unsigned word) {
  return {word, ~word, word + 1, word ^ 5};
}
template <class T>
__device__ unsigned folded(T value) {
  return value;
}
template <>
__device__ inline unsigned folded(uint2 value) {
  return value.x ^ value.y;
}
template <>
__device__ inline unsigned folded(uint4 value) {
  return value.x ^ value.y ^ value.z ^ value.w;
}

// DEFINE(WIDTH, TYPE) for each width of an access.
#define FOR_EACH_WIDTH(DEFINE) \
  DEFINE(1, unsigned char)     \
  DEFINE(2, unsigned short)    \
  DEFINE(4, unsigned)          \
  DEFINE(8, uint2)             \
  DEFINE(16, uint4)
