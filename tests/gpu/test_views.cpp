// Spans and mdspans as arguments of kernels that run: std's, CCCL's where its headers are there, and such as std's.
#include "mdspan_like.hpp"

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <numeric>
#include <span>
#include <vector>

#if __has_include(<cuda/std/mdspan>)
#include <cuda/std/mdspan>
#include <cuda/std/span>
#define HAS_CCCL_MDSPAN 1
#endif

namespace views_gpu_test {

namespace {

using kiln::DeviceBuffer;

std::vector<float> counted(std::size_t n) {
  std::vector<float> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 1.0f);
  return numbers;
}

constexpr const char* kernels = R"(
#include <cuda/std/mdspan>
#include <cuda/std/span>
template <class T> using Matrix = cuda::std::mdspan<T, cuda::std::dextents<int, 2>>;
__global__ void by_pointer(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }
__global__ void by_span(cuda::std::span<float> x) { if (threadIdx.x < x.size()) x[threadIdx.x] *= 2; }
__global__ void by_matrix(Matrix<const float> from, Matrix<float> to) {
  if (threadIdx.x < from.extent(0) && threadIdx.y < from.extent(1))
    to(threadIdx.y, threadIdx.x) = from(threadIdx.x, threadIdx.y);
}
extern "C" __global__ void plain(Matrix<float> x) { if (threadIdx.x < x.extent(1)) x(1, threadIdx.x) = -1; }
)";

template <class Span, class Matrix>
void check_views() {
  kiln::SourceModule module(kernels);
  DeviceBuffer<float> x(counted(6)), y(6);
  module.get_function("by_pointer")({1, 32}, Span(x.data() + 1, 5), 2);
  CHECK(x.to_host() == std::vector<float>{1, 4, 6, 4, 5, 6});
  module.get_function("by_span")({1, 32}, Span(x.data() + 1, 2));
  CHECK(x.to_host() == std::vector<float>{1, 8, 12, 4, 5, 6});
  module.get_function("by_matrix")({1, {8, 8}}, Matrix::of(x.data(), 2, 3), Matrix::of(y.data(), 3, 2));
  CHECK(y.to_host() == std::vector<float>{1, 4, 8, 5, 12, 6});
  module.get_function("plain")({1, 32}, Matrix::of(x.data(), 2, 3));
  CHECK(x.to_host() == std::vector<float>{1, 8, 12, -1, -1, -1});
  module.get_function("by_pointer")({1, 32}, Matrix::of(x.data(), 2, 3), 6);
  CHECK(x.to_host() == std::vector<float>{2, 16, 24, -2, -2, -2});
  CHECK_THROWS_AS(module.get_function("by_matrix")({1, 1}, x, y), kiln::ArgumentError);
  CHECK_THROWS_AS(module.get_function("by_matrix")({1, 1}, Span(x.data(), 6), Matrix::of(y.data(), 3, 2)),
                  kiln::ArgumentError);
}

struct MatrixLike {
  static auto of(float* address, int rows, int columns) {
    return mdspan_like::matrix<float>(address, {{{rows, columns}}});
  }
};

}  // namespace

TEST_CASE("views: by pointer and by value") { check_views<std::span<float>, MatrixLike>(); }

#ifdef HAS_CCCL_MDSPAN
struct CcclMatrix {
  static auto of(float* address, int rows, int columns) {
    return cuda::std::mdspan<float, cuda::std::dextents<int, 2>>(address, rows, columns);
  }
};

TEST_CASE("views: CCCL's, by pointer and by value") { check_views<cuda::std::span<float>, CcclMatrix>(); }

TEST_CASE("views: CCCL's layouts as vectors") {
  using Extents = cuda::std::dextents<int, 2>;
  const kiln::ElementwiseKernel twice("const float* x, float* y", "y[i] = 2 * x[i]");
  DeviceBuffer<float> x(counted(6)), y(6);
  twice(CcclMatrix::of(x.data(), 2, 3), CcclMatrix::of(y.data(), 2, 3));
  CHECK(y.to_host() == std::vector<float>{2, 4, 6, 8, 10, 12});
  const kiln::ReductionKernel<float> sum({.neutral = "0", .reduce_expr = "a + b"});
  CHECK(sum(CcclMatrix::of(x.data(), 2, 3)).get() == 21);
  CHECK(sum(cuda::std::span<float>(x.data(), 3)).get() == 6);
  const cuda::std::mdspan<float, Extents, cuda::std::layout_left> left(x.data(), 2, 3);
  CHECK_THROWS_WITH_AS(sum(left), doctest::Contains("2 x 3 elements, strides 1, 2"), kiln::ArgumentError);
  const kiln::InclusiveScanKernel<float> scan("a + b");
  scan(cuda::std::span<float>(x.data(), 3), cuda::std::span<float>(y.data(), 3));
  CHECK(y.to_host() == std::vector<float>{1, 3, 6, 8, 10, 12});
  CHECK_THROWS_AS(scan(left), kiln::ArgumentError);
}
#endif

}  // namespace views_gpu_test
