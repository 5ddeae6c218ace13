// Lesson 4, divergence: two kinds of elements, dealt to threads so that a warp has both kinds, or one.
#include <cstdint>

#include "lesson.hpp"

const char* const source = R"(// Elements at even places are hashed in one way, those at odd places in another.
__device__ unsigned even_hash(unsigned value) {
#pragma unroll 1
  for (int round = 0; round < 16; ++round) value = value * 1664525 + 1013904223;
  return value;
}
__device__ unsigned odd_hash(unsigned value) {
#pragma unroll 1
  for (int round = 0; round < 16; ++round) value ^= value << 13, value ^= value >> 17, value ^= value << 5;
  return value;
}

__global__ void mixed(unsigned* values) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = values[i];
  if (i % 2 == 0)
    value = even_hash(value);
  else
    value = odd_hash(value);
  values[i] = value;
}

// The first half of a block takes the even places, the second half the odd ones: the same for a whole warp.
__global__ void sorted(unsigned* values) {
  int half = blockDim.x / 2, kind = threadIdx.x / half;
  int i = blockIdx.x * blockDim.x + threadIdx.x % half * 2 + kind;
  unsigned value = values[i];
  if (kind == 0)
    value = even_hash(value);
  else
    value = odd_hash(value);
  values[i] = value;
}
)";

const std::uint32_t size = 1024;

std::uint32_t hash(std::uint32_t value, bool is_even) {
  for (int round = 0; round < 16; ++round) {
    if (is_even) {
      value = value * 1664525 + 1013904223;
    } else {
      value ^= value << 13;
      value ^= value >> 17;
      value ^= value << 5;
    }
  }
  return value;
}

int main(int argc, char** argv) {
  begin(argc, argv, source);
  const kiln::SourceModule module(source, kiln::CompileOptions{}.with_name("divergence.cu"));
  std::vector<std::uint32_t> values, expected;
  for (std::uint32_t i = 0; i < size; ++i) {
    values.push_back(i + 1);
    expected.push_back(hash(i + 1, i % 2 == 0));
  }
  bool right = true;
  for (const char* name : {"mixed", "sorted"}) {
    const kiln::DeviceBuffer<std::uint32_t> buffer(values);
    module.get_function(name)({4, 256}, buffer);
    right &= is_right(name, buffer.to_host(), expected);
  }
  std::puts("Look at: divergent branches and active lanes; in the page, the steps of a warp through both ways.");
  std::puts("Look also at the sectors a load: what it costs that neighbours are no longer side by side.");
  return right ? 0 : 1;
}
