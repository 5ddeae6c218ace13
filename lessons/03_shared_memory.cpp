// Lesson 3, shared memory and its banks: a matrix is transposed by tiles, and one column more makes it fast.
#include "lesson.hpp"

const char* const source =
    R"(// Both the loads and the stores of global memory are coalesced, as the tile is turned in shared memory.
template <int columns>
__device__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][columns];
  int x = blockIdx.x * 32, y = blockIdx.y * 32;
  for (int row = threadIdx.y; row < 32; row += blockDim.y)
    tile[row][threadIdx.x] = in[(y + row) * n + x + threadIdx.x];
  __syncthreads();
  for (int row = threadIdx.y; row < 32; row += blockDim.y)
    out[(x + row) * n + y + threadIdx.x] = tile[threadIdx.x][row];
}
__global__ void unpadded(const float* in, float* out, int n) { transpose<32>(in, out, n); }
__global__ void padded(const float* in, float* out, int n) { transpose<33>(in, out, n); }
)";

const int side = 64;

std::vector<float> matrix(bool transposed) {
  std::vector<float> values;
  for (int row = 0; row < side; ++row)
    for (int column = 0; column < side; ++column)
      values.push_back(static_cast<float>(transposed ? column * side + row : row * side + column));
  return values;
}

int main(int argc, char** argv) {
  begin(argc, argv, source);
  const kiln::SourceModule module(source, kiln::CompileOptions{}.with_name("shared_memory.cu"));
  bool right = true;
  for (const char* name : {"unpadded", "padded"}) {
    const kiln::DeviceBuffer<float> in(matrix(false)), out(side * side);
    module.get_function(name)({{2, 2}, {32, 8}}, in, out, side);
    right &= is_right(name, out.to_host(), matrix(true));
  }
  std::puts(
      "Look at: bank conflicts of the line that reads the tile by columns; in the page, the drawing of the banks.");
  return right ? 0 : 1;
}
