// Lesson 10, tensor cores: a product of matrices, an element a thread, and a tile of 16 x 16 elements a warp.
#include "lesson.hpp"

const char* const source = R"(#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

__global__ void to_half(const float* values, __half* halves) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  halves[i] = __float2half(values[i]);
}

__global__ void by_threads(const __half* a, const __half* b, float* c, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += __half2float(a[row * n + k]) * __half2float(b[k * n + column]);
  c[row * n + column] = sum;
}

// A block is one warp. How its threads share the tiles is the fragments' business.
__global__ void by_tensor_cores(const __half* a, const __half* b, float* c, int n) {
  int column = blockIdx.x * 16, row = blockIdx.y * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += 16) {
    wmma::load_matrix_sync(left, a + row * n + k, n);
    wmma::load_matrix_sync(right, b + k * n + column, n);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}
)";

const int side = 64;

// Small whole numbers, so that products and sums are exact in any order.
std::vector<float> matrix(int factor) {
  std::vector<float> values;
  for (int i = 0; i < side * side; ++i) values.push_back(static_cast<float>(i * factor % 15 - 7));
  return values;
}

std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b) {
  const auto n = static_cast<std::size_t>(side);
  std::vector<float> c(n * n);
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t column = 0; column < n; ++column) c[row * n + column] += a[row * n + k] * b[k * n + column];
  return c;
}

int main(int argc, char** argv) {
  begin(argc, argv, source);
  const kiln::SourceModule module(source, kiln::CompileOptions{}.with_name("tensor_cores.cu"));
  const std::vector<float> a = matrix(7), b = matrix(11), expected = product(a, b);

  // C++17 has no half: the device converts, into plain bytes.
  const auto to_half = module.get_function("to_half");
  const kiln::DeviceBuffer<float> a_floats(a), b_floats(b);
  const kiln::DeviceBuffer<unsigned char> a_halves(2 * a.size()), b_halves(2 * b.size());
  to_half({16, 256}, a_floats, a_halves);
  to_half({16, 256}, b_floats, b_halves);

  const kiln::DeviceBuffer<float> by_threads(a.size()), by_tensor_cores(a.size());
  module.get_function("by_threads")({{2, 8}, {32, 8}}, a_halves, b_halves, by_threads, side);
  module.get_function("by_tensor_cores")({{4, 4}, 32}, a_halves, b_halves, by_tensor_cores, side);

  bool right = is_right("by_threads", by_threads.to_host(), expected);
  right &= is_right("by_tensor_cores", by_tensor_cores.to_host(), expected);
  std::puts("Look at: the same number of operations, flops_fp32 in one and flops_tensor in the other, and how many");
  std::puts("instructions of a warp they take.");
  return right ? 0 : 1;
}
