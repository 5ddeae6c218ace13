// Small kernels for the tests of memory.
#pragma once

#include <kiln/kiln.hpp>

namespace kiln::test {

/// late() writes some milliseconds after its start, so that what does not wait for it comes too early.
inline const SourceModule& memory_kernels() {
  static const SourceModule module(R"(
extern "C" __global__ void add(int* values, int n, int amount) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += amount;
}
extern "C" __global__ void set(int* values, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = value + i;
}
extern "C" __global__ void sum(const int* values, int n, int* out) {
  int total = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) total += values[i];
  atomicAdd(out, total);
}
extern "C" __global__ void late(int* out, int value) {
  const long long start = clock64();
  while (clock64() - start < 20000000) {}
  *out = value;
}
extern "C" __global__ void set_rows(float* values, unsigned long long pitch, int width, int height) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x < width && y < height) ((float*)((char*)values + y * pitch))[x] = (float)(100 * y + x);
}
)");
  return module;
}

}  // namespace kiln::test
