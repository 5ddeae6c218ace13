// Lesson 7, occupancy: how many blocks a multiprocessor holds at once, where shared memory is the limit.
#include <numeric>
#include <string>

#include "lesson.hpp"

const char* const source =
    R"(// A thread sums a row of 128 values; `columns` of them at a time are in shared memory.
template <int columns>
__global__ void row_sums(const int* rows, int* sums) {
  extern __shared__ int part[];  // for each thread a row of columns + 1, so that they are in different banks
  rows += blockIdx.x * blockDim.x * 128;
  int sum = 0;
  for (int first = 0; first < 128; first += columns) {
    for (int i = threadIdx.x; i < blockDim.x * columns; i += blockDim.x)
      part[i / columns * (columns + 1) + i % columns] = rows[i / columns * 128 + first + i % columns];
    __syncthreads();
    for (int column = 0; column < columns; ++column)
      sum += part[threadIdx.x * (columns + 1) + column];
    __syncthreads();
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
)";

const int block = 128, blocks = 2, width = 128;

int main(int argc, char** argv) {
  begin(argc, argv, source);
  const kiln::SourceModule module(source, kiln::CompileOptions{}.with_name("occupancy.cu"));
  std::vector<int> rows(block * blocks * width), expected;
  std::iota(rows.begin(), rows.end(), 0);
  for (auto first = rows.begin(); first != rows.end(); first += width)
    expected.push_back(std::accumulate(first, first + width, 0));
  bool right = true;
  for (const int columns : {128, 32}) {
    const std::string name = "row_sums<" + std::to_string(columns) + ">";
    const kiln::Function kernel = module.get_function(name);
    const std::size_t bytes = sizeof(int) * block * (static_cast<std::size_t>(columns) + 1);
    const kiln::DeviceBuffer<int> in(rows), sums(block * blocks);
    kernel({blocks, block, bytes}, in, sums);
    right &= is_right(name.c_str(), sums.to_host(), expected);
    const int resident = kernel.max_active_blocks_per_multiprocessor(block, bytes);
    const int most = kiln::Device(0).attribute(kiln::DeviceAttribute::max_threads_per_multiprocessor);
    std::printf("  %zu bytes of shared memory a block: %d blocks of %d threads, %d of a multiprocessor's %d threads\n",
                bytes, resident, block, resident * block, most);
  }
  std::puts("Look at: the lines above. In the profile both do the same to global memory, and only the dynamic shared");
  std::puts("memory differs: the emulator knows how many blocks fit, and not how much faster more of them are.");
  return right ? 0 : 1;
}
