// Sources made from templates, on a device.
#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

namespace templates_test {

namespace {

constexpr int size = 1000;
constexpr kiln::Dim3 grid{4}, block{256};

/// values * factor, by a kernel whose text has the type, the size and the factor in it.
template <class T>
std::vector<T> scaled_by_text(T value, T factor) {
  const std::string source = kiln::substitute(R"(
__global__ void scale($type* values) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < $n) values[i] *= ${factor};
})",
                                              {{"type", kiln::type_name<T>()}, {"n", size}, {"factor", factor}});
  kiln::SourceModule module(source);
  kiln::DeviceBuffer<T> values(std::vector<T>(size, value));
  module.get_function("scale")({grid, block}, values);
  return values.to_host();
}

}  // namespace

TEST_CASE("substituted types and literals have the program's values") {
  CHECK(scaled_by_text(3.0F, 0.1F) == std::vector<float>(size, 3.0F * 0.1F));
  CHECK(scaled_by_text(3.0, 1.0 / 3) == std::vector<double>(size, 3.0 * (1.0 / 3)));
  CHECK(scaled_by_text<std::int64_t>(-3, std::int64_t{1} << 40) ==
        std::vector<std::int64_t>(size, -3 * (std::int64_t{1} << 40)));
  CHECK(scaled_by_text<std::uint64_t>(1, ~std::uint64_t{0}) == std::vector<std::uint64_t>(size, ~std::uint64_t{0}));
  CHECK(scaled_by_text<unsigned char>(2, 100) == std::vector<unsigned char>(size, 200));
}

TEST_CASE("a template instance by the name of a C++ type, std::complex among them") {
  kiln::SourceModule module(R"(
#include <cuda/std/complex>
template <class T> __global__ void square(T* values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = values[i] * values[i];
})");
  using Complex = std::complex<float>;
  kiln::DeviceBuffer<Complex> values(std::vector<Complex>(size, Complex(1, 2)));
  module.get_function("square<" + kiln::type_name<Complex>() + ">")({grid, block}, values, size);
  CHECK(values.to_host() == std::vector<Complex>(size, Complex(-3, 4)));
}

TEST_CASE("loops and conditions that a template wrote out") {
  const auto source = [](bool negated) {
    return kiln::render_template(R"(
__global__ void polynomial(const {@ type @}* x, {@ type @}* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  {@ type @} sum = 0;
  {@# coefficients @}
  sum = sum * x[i] + {@ . @};
  {@/ coefficients @}
  const {@ type @} signs[] = { {@# signs @}{@ . @}{@^ loop.last @}, {@/ loop.last @}{@/ signs @} };
  {@# negated @}
  sum *= signs[1];
  {@/ negated @}
  y[i] = sum;
})",
                                 {{"type", kiln::type_name<double>()},
                                  {"coefficients", std::vector<double>{2, 3, 5}},
                                  {"signs", std::vector<int>{1, -1}},
                                  {"negated", negated}});
  };
  kiln::DeviceBuffer<double> x(std::vector<double>(size, 2.0)), y(std::vector<double>(size, 0.0));
  kiln::SourceModule(source(false)).get_function("polynomial")({grid, block}, x, y, size);
  CHECK(y.to_host() == std::vector<double>(size, 19.0));
  kiln::SourceModule(source(true)).get_function("polynomial")({grid, block}, x, y, size);
  CHECK(y.to_host() == std::vector<double>(size, -19.0));
}

}  // namespace templates_test
