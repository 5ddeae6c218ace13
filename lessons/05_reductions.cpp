// Lesson 5, reductions: each block sums 256 values, by a tree whose active threads are scattered or side by side.
#include <numeric>

#include "lesson.hpp"

const char* const source = R"(// The sum of 256 values by each block.
__global__ void scattered(const int* in, int* sums) {
  __shared__ int part[256];
  int t = threadIdx.x;
  part[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    if (t % (2 * step) == 0) part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

// Whole warps fall idle, until one is left: it ends by shuffles, which need neither shared memory nor barriers.
__global__ void by_warps(const int* in, int* sums) {
  __shared__ int part[256];
  int t = threadIdx.x;
  part[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int step = 128; step >= 32; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  if (t >= 32) return;
  int sum = part[t];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (t == 0) sums[blockIdx.x] = sum;
}
)";

const int block = 256, blocks = 4;

int main(int argc, char** argv) {
  begin(argc, argv, source);
  const kiln::SourceModule module(source, kiln::CompileOptions{}.with_name("reductions.cu"));
  std::vector<int> values(block * blocks), expected;
  std::iota(values.begin(), values.end(), 1);
  for (auto first = values.begin(); first != values.end(); first += block)
    expected.push_back(std::accumulate(first, first + block, 0));
  bool right = true;
  for (const char* name : {"scattered", "by_warps"}) {
    const kiln::DeviceBuffer<int> in(values), sums(blocks);
    module.get_function(name)({blocks, block}, in, sums);
    right &= is_right(name, sums.to_host(), expected);
  }
  std::puts("Look at: divergent branches, and arrivals at barriers: each is a warp that waits for the slowest one.");
  return right ? 0 : 1;
}
