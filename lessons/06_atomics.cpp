// Lesson 6, atomics: values are counted by a plain addition, which loses most, by an atomic one a thread, and by one a
// block.
#include <algorithm>

#include "lesson.hpp"

const char* const source = R"(// How many values are above a limit.
__global__ void lost(const int* values, int limit, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (values[i] > limit) *count = *count + 1;
}

__global__ void one_a_thread(const int* values, int limit, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (values[i] > limit) atomicAdd(count, 1);
}

__global__ void one_a_block(const int* values, int limit, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int counted = __syncthreads_count(values[i] > limit);
  if (threadIdx.x == 0) atomicAdd(count, counted);
}
)";

const int size = 1024, limit = 250;

std::vector<int> make_values() {
  std::vector<int> values;
  for (int i = 0; i < size; ++i) values.push_back(i * 7919 % 1000);  // scattered over 0 to 999
  return values;
}

int main(int argc, char** argv) {
  begin(argc, argv, source);
  const kiln::SourceModule module(source, kiln::CompileOptions{}.with_name("atomics.cu"));
  const std::vector<int> values = make_values();
  const auto expected =
      static_cast<int>(std::count_if(values.begin(), values.end(), [](int value) { return value > limit; }));
  bool as_expected = true;
  for (const char* name : {"lost", "one_a_thread", "one_a_block"}) {
    const kiln::DeviceBuffer<int> in(values), count(std::vector<int>{0});
    module.get_function(name)({4, 256}, in, limit, count);
    const bool right = is_right(name, count.to_host(), {expected});
    as_expected &= right == (name != std::string("lost"));
  }
  std::puts("Look at: atomic operations and their conflicts, threads of a warp on one address. No counter shows that");
  std::puts("`lost` is wrong: all threads of a warp read the same old count, and all write the same new one.");
  return as_expected ? 0 : 1;
}
