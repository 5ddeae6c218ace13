// What docs/porting-from-pycuda.md says for the operations of GPUArray: one check a row, beside the page's own program.
#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace array_rows_gpu_test {

namespace {

using kiln::DeviceBuffer;
using kiln::ElementwiseKernel;
using Floats = std::vector<float>;

/// z of an operation on x = -2, -1, 0, 1, 2 and y = 5, 4, 3, 2, 1.
template <class Z = float>
std::vector<Z> result_of(const std::string& operation) {
  const DeviceBuffer<float> x(Floats{-2, -1, 0, 1, 2}), y(Floats{5, 4, 3, 2, 1});
  const DeviceBuffer<Z> z(5);
  const ElementwiseKernel kernel("const float* x, const float* y, " + kiln::type_name<Z>() + "* z", operation);
  kernel(x, y, z);
  return z.to_host();
}
/// x of one that changes x.
Floats changed_by(const std::string& operation) {
  const DeviceBuffer<float> x(Floats{-2, -1, 0, 1, 2}), y(Floats{5, 4, 3, 2, 1});
  const ElementwiseKernel kernel("float* x, const float* y", operation);
  kernel(x, y);
  return x.to_host();
}

}  // namespace

TEST_CASE("rows of GPUArray: operators and reflected ones") {
  CHECK(result_of("z[i] = x[i] + y[i]") == Floats{3, 3, 3, 3, 3});
  CHECK(result_of("z[i] = 1 + x[i]") == Floats{-1, 0, 1, 2, 3});
  CHECK(result_of("z[i] = x[i] - y[i]") == Floats{-7, -5, -3, -1, 1});
  CHECK(result_of("z[i] = 1 - x[i]") == Floats{3, 2, 1, 0, -1});
  CHECK(result_of("z[i] = x[i] * y[i]") == Floats{-10, -4, 0, 2, 2});
  CHECK(result_of("z[i] = x[i] / 2") == Floats{-1, -0.5f, 0, 0.5f, 1});
  CHECK(result_of("z[i] = 60 / y[i]") == Floats{12, 15, 20, 30, 60});
  CHECK(result_of("z[i] = -x[i]") == Floats{2, 1, 0, -1, -2});
  CHECK(result_of("z[i] = +x[i]") == Floats{-2, -1, 0, 1, 2});
  CHECK(result_of("z[i] = 2 * x[i] + 3 * y[i]") == Floats{11, 10, 9, 8, 7});  // mul_add
  CHECK(result_of("z[i] = pow(x[i], 2.0f)") == Floats{4, 1, 0, 1, 4});
  CHECK(result_of("z[i] = pow(2.0f, x[i])") == Floats{0.25f, 0.5f, 1, 2, 4});
  CHECK(result_of<int>("int whole = (int)x[i]; z[i] = whole < 0 ? -whole : whole") == std::vector<int>{2, 1, 0, 1, 2});
}

TEST_CASE("rows of GPUArray: in place") {
  CHECK(changed_by("x[i] += y[i]") == Floats{3, 3, 3, 3, 3});
  CHECK(changed_by("x[i] -= 1") == Floats{-3, -2, -1, 0, 1});
  CHECK(changed_by("x[i] *= y[i]") == Floats{-10, -4, 0, 2, 2});
  CHECK(changed_by("x[i] /= 2") == Floats{-1, -0.5f, 0, 0.5f, 1});
  CHECK(changed_by("x[i] = pow(x[i], 2.0f)") == Floats{4, 1, 0, 1, 4});
}

TEST_CASE("rows of GPUArray: comparisons and logic") {
  using Bools = std::vector<bool>;
  CHECK(result_of<bool>("z[i] = x[i] == y[i]") == Bools{false, false, false, false, false});
  CHECK(result_of<bool>("z[i] = x[i] != 0") == Bools{true, true, false, true, true});
  CHECK(result_of<bool>("z[i] = x[i] < 0") == Bools{true, true, false, false, false});
  CHECK(result_of<bool>("z[i] = x[i] <= 0") == Bools{true, true, true, false, false});
  CHECK(result_of<bool>("z[i] = x[i] > y[i]") == Bools{false, false, false, false, true});
  CHECK(result_of<bool>("z[i] = x[i] >= 0") == Bools{false, false, true, true, true});
  CHECK(result_of<bool>("z[i] = x[i] && y[i]") == Bools{true, true, false, true, true});
  CHECK(result_of<bool>("z[i] = x[i] || y[i]") == Bools{true, true, true, true, true});
  CHECK(result_of<bool>("z[i] = !x[i]") == Bools{false, false, true, false, false});
}

TEST_CASE("rows of GPUArray: complex numbers") {
  using Complex = std::complex<float>;
  const DeviceBuffer<Complex> x(std::vector<Complex>{{1, 2}, {-3, 4}}), y(2);
  const DeviceBuffer<float> z(2);
  const ElementwiseKernel parts("const cuda::std::complex<float>* x, float* z", "z[i] = x[i].real() * x[i].imag()");
  parts(x, z);
  CHECK(z.to_host() == Floats{2, -12});
  const ElementwiseKernel conjugate("const cuda::std::complex<float>* x, cuda::std::complex<float>* y",
                                    "y[i] = conj(x[i])");
  conjugate(x, y);
  CHECK(y.to_host() == std::vector<Complex>{{1, -2}, {-3, -4}});
  kiln::cumath::fabs(x, z);
  CHECK(z.to_host()[1] == doctest::Approx(5));
}

TEST_CASE("rows of GPUArray: parts, shapes and views") {
  DeviceBuffer<float> x(Floats{0, 1, 2, 3, 4, 5}), y(Floats(6, 0));
  CHECK(x.size() == 6);
  const ElementwiseKernel copy("const float* x, float* y", "y[i] = x[i]");
  copy(std::span(x.data() + 2, 3), std::span(y.data(), 3));  // y[:3] = x[2:5]
  CHECK(y.to_host() == Floats{2, 3, 4, 0, 0, 0});
  kiln::fill(std::span(y.data() + 4, 2), 7);  // y[4:] = 7
  CHECK(y.to_host() == Floats{2, 3, 4, 0, 7, 7});
  copy({.slice = kiln::Slice{.step = -2}}, x, y);  // y[::-2] = x[::-2]
  CHECK(y.to_host() == Floats{2, 1, 4, 3, 7, 5});
  y.write(1, Floats{9});  // y[1] = 9
  Floats one(1);
  y.read(1, one);
  CHECK(one == Floats{9});
  const ElementwiseKernel transpose("const float* x, int rows, int width, float* z",
                                    "z[i] = x[i % rows * width + i / rows]");
  transpose(x, 2, 3, y);  // x.reshape(2, 3).T
  CHECK(y.to_host() == Floats{0, 3, 1, 4, 2, 5});
  const ElementwiseKernel reverse("const float* x, float* y", "y[i] = x[n - 1 - i]");
  reverse(x, y);
  CHECK(y.to_host() == Floats{5, 4, 3, 2, 1, 0});
  const std::span bits(reinterpret_cast<std::uint32_t*>(x.data()), 6);  // x.view(np.uint32)
  CHECK(kiln::max(bits).get() == 0x40a00000U);
}

TEST_CASE("rows of GPUArray: copies, joined arrays, subsets") {
  DeviceBuffer<float> x(Floats{1, 2, 3}), y(3), both(6);
  y.copy_from(x);
  CHECK(y.to_host() == Floats{1, 2, 3});
  kiln::memcpy_dtod(both.data(), x.data(), 3 * sizeof(float));
  kiln::memcpy_dtod(both.data() + 3, y.data(), 3 * sizeof(float));
  CHECK(both.to_host() == Floats{1, 2, 3, 1, 2, 3});
  const DeviceBuffer<int> indices(std::vector<int>{5, 0});
  const kiln::ReductionKernel<float> subset_sum({.neutral = "0",
                                                 .reduce_expr = "a + b",
                                                 .map_expr = "x[indices[i]]",
                                                 .arguments = "const float* x, const int* indices"});
  CHECK(subset_sum(both, indices).get() == 4);
}

}  // namespace array_rows_gpu_test
