// Tensor maps let the device's copy engine (TMA) fetch boxes of a matrix, and an L2 window keeps what is read often.
#include <kiln/kiln.hpp>

#include <cstdio>
#include <vector>

#include "find_device.hpp"

// Each block has one box of the matrix copied into shared memory by a single thread, and adds its elements up.
const char* const source = R"(
#include <cuda.h>

constexpr int width = 32, height = 16;

extern "C" __global__ void add_boxes(const __grid_constant__ CUtensorMap matrix, float* sums) {
  __shared__ alignas(128) float box[height][width];
  __shared__ unsigned long long barrier;
  const unsigned box_address = static_cast<unsigned>(__cvta_generic_to_shared(box));
  const unsigned barrier_address = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier_address) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 ::"r"(barrier_address), "r"(int(sizeof box)) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                 ::"r"(box_address), "l"(&matrix), "r"(barrier_address), "r"(blockIdx.x * width), "r"(blockIdx.y * height)
                 : "memory");
  }
  __syncthreads();
  unsigned arrived = 0;
  while (!arrived)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(arrived) : "r"(barrier_address) : "memory");
  float sum = 0;
  for (int row = 0; row < height; ++row) sum += box[row][threadIdx.x];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x == 0) sums[blockIdx.y * gridDim.x + blockIdx.x] = sum;
})";

int main() {
  find_device();
  const bool has_device = kiln::Device::count() > 0;
  kiln::CompileOptions options;
  if (!has_device)
    options.arch = "sm_90";  // tensor maps begin there
  else if (kiln::Device::current().compute_capability().first < 9) {
    std::puts("This device has no tensor maps (they need compute capability 9.0): nothing was done.");
    return 0;
  }
  const kiln::SourceModule module(source, options);
  if (!has_device) {
    std::puts("There is no device here: the kernel was compiled and not launched.");
    return 0;
  }

  // A row-major matrix. The sizes of its map go from the innermost dimension to the outermost.
  constexpr std::size_t columns = 1000, rows = 500;
  const kiln::DeviceBuffer<float> matrix(std::vector<float>(columns * rows, 1.0F));
  kiln::TensorMapTiled shape;
  shape.sizes = {columns, rows};
  shape.box = {32, 16};
  const kiln::TensorMap map = kiln::TensorMap::tiled(matrix.data(), shape);  // float, dense lines

  const kiln::Dim3 grid((columns + 31) / 32, (rows + 15) / 16);
  const kiln::DeviceBuffer<float> sums(std::vector<float>(grid.count()));
  const kiln::Function add_boxes = module.get_function("add_boxes");
  const kiln::Stream stream;
  {
    // While this lives, what the stream's kernels read of the matrix tends to stay in the L2 cache.
    const kiln::L2Window window(stream, matrix);
    std::printf("the L2 window covers %zu of %zu bytes\n", window.bytes(), matrix.size() * sizeof(float));
    for (int pass = 0; pass < 3; ++pass) add_boxes({grid, 32, 0, stream}, map, sums);
    stream.synchronize();
  }

  // What lies beyond the matrix was read as zero, so the boxes at its edges count right without a test in the kernel.
  float total = 0;
  for (const float sum : sums.to_host()) total += sum;
  std::printf("the sum of %zu ones is %.0f\n", columns * rows, static_cast<double>(total));

  // The same map over another matrix of this shape: nothing is described or encoded again.
  const kiln::DeviceBuffer<float> other(std::vector<float>(columns * rows, 2.0F));
  add_boxes({grid, 32, 0, stream}, map.with_address(other.data()), sums);
  stream.synchronize();
  float other_total = 0;
  for (const float sum : sums.to_host()) other_total += sum;
  std::printf("and of as many twos %.0f\n", static_cast<double>(other_total));
  return total == columns * rows && other_total == 2 * columns * rows ? 0 : 1;
}
