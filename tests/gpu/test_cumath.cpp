// The functions of the math library on vectors, against those of the host.
#include "loop_step.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <vector>

namespace cumath_gpu_test {

using kiln::DeviceBuffer;
namespace cumath = kiln::cumath;

namespace {

template <class T>
double number(const T& value) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(value);
  else
    return static_cast<double>(static_cast<float>(value));
}

/// What the type has behind 1.
template <class T>
double step() {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<double>(std::numeric_limits<T>::epsilon());
  else
    return std::is_same_v<T, __half> ? 0x1p-10 : 0x1p-7;
}

template <class T>
void check_near(const std::vector<T>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    wrong += !(std::abs(number(found[i]) - expected[i]) <= 8 * step<T>() * std::abs(expected[i]) + 1e-300);
  CHECK(wrong == 0);
}

/// From -2 to 2 or, for functions that are not everywhere, a part of that.
template <class T>
std::vector<T> values(std::size_t n, double least, double most) {
  std::vector<T> all;
  for (std::size_t i = 0; i < n; ++i)
    all.push_back(static_cast<T>(
        static_cast<float>(least + (most - least) * static_cast<double>(i + 1) / static_cast<double>(n + 2))));
  return all;
}

/// A function of cumath: not as a type of its own, each of which would take its share of this file's build.
template <class T>
using VectorFunction = void (*)(const DeviceBuffer<T>& x, const DeviceBuffer<T>& y);

template <class T>
void check(VectorFunction<T> function, double (*reference)(double), double least = -2, double most = 2) {
  for (const std::size_t n : {0U, 1U, 33U, 257U}) {
    CAPTURE(n);
    const auto x = values<T>(n, least, most);
    std::vector<double> expected;
    for (const T& value : x) expected.push_back(reference(number(value)));
    const DeviceBuffer<T> d(x), y(n);
    function(d, y);
    check_near(y.to_host(), expected);
    function(d, d);
    check_near(d.to_host(), expected);
  }
}

template <class T>
void check_all() {
  CAPTURE(kiln::type_name<T>());
#define KILN_TEST_MATH(name, ...)                                                          \
  check<T>([](const DeviceBuffer<T>& x, const DeviceBuffer<T>& y) { cumath::name(x, y); }, \
           [](double v) { return std::name(v); } __VA_OPT__(, ) __VA_ARGS__)
  KILN_TEST_MATH(fabs);
  KILN_TEST_MATH(ceil);
  KILN_TEST_MATH(floor);
  KILN_TEST_MATH(exp);
  KILN_TEST_MATH(log, 0.1, 0.9);
  KILN_TEST_MATH(log10, 1.5, 20);
  KILN_TEST_MATH(sqrt, 0, 9);
  KILN_TEST_MATH(sin, 0.1, 3);
  KILN_TEST_MATH(cos, -1, 1);
  KILN_TEST_MATH(tan, -1, 1);
  KILN_TEST_MATH(asin, -1, 1);
  KILN_TEST_MATH(acos, -0.9, 0.9);
  KILN_TEST_MATH(atan);
  KILN_TEST_MATH(sinh);
  KILN_TEST_MATH(cosh);
  KILN_TEST_MATH(tanh);
#undef KILN_TEST_MATH
}

}  // namespace

TEST_CASE("cumath: functions of one argument") {
  check_all<float>();
  check_all<double>();
  check_all<__half>();
  check_all<__nv_bfloat16>();
}

namespace {

template <class T>
using Function = std::complex<T> (*)(const std::complex<T>&);

/// In all quadrants, large and small; away from where a function has a pole or a cut.
template <class T>
void check_complex(kiln::test::Turns& turns) {
  using C = std::complex<T>;
  const std::vector<C> x = {{T(1), T(2)},      {T(-0.5), T(0.25)}, {T(-1.5), T(-3)},   {T(0.75), T(-1)},
                            {T(0.01), T(2.5)}, {T(3), T(0.125)},   {T(-2), T(0.0625)}, {T(0.1), T(0.2)}};
  const DeviceBuffer<C> d(x), y(x.size());
  const T tolerance = std::is_same_v<T, float> ? T(4e-6) : T(1e-14);
  const auto check_function = [&](const char* name, VectorFunction<C> function, Function<T> reference) {
    if (!turns.next()) return;
    CAPTURE(name);
    function(d, y);
    const auto found = y.to_host();
    for (std::size_t i = 0; i < x.size(); ++i) {
      CAPTURE(i);
      const C expected = reference(x[i]);
      CHECK(std::abs(found[i] - expected) <= tolerance * (1 + std::abs(expected)));
    }
  };
#define KILN_TEST_COMPLEX(name) \
  check_function(               \
      #name, [](const DeviceBuffer<C>& from, const DeviceBuffer<C>& to) { cumath::name(from, to); }, &std::name)
  KILN_TEST_COMPLEX(exp);
  KILN_TEST_COMPLEX(log);
  KILN_TEST_COMPLEX(log10);
  KILN_TEST_COMPLEX(sqrt);
  KILN_TEST_COMPLEX(sin);
  KILN_TEST_COMPLEX(cos);
  KILN_TEST_COMPLEX(tan);
  KILN_TEST_COMPLEX(asin);
  KILN_TEST_COMPLEX(acos);
  KILN_TEST_COMPLEX(atan);
  KILN_TEST_COMPLEX(sinh);
  KILN_TEST_COMPLEX(cosh);
  KILN_TEST_COMPLEX(tanh);
#undef KILN_TEST_COMPLEX
  const DeviceBuffer<T> length(x.size());
  cumath::fabs(d, length);
  const auto lengths = length.to_host();
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(lengths[i] == doctest::Approx(std::abs(x[i])).epsilon(1e-6));
  cumath::exp(d, d);
  CHECK(std::abs(d.to_host()[7] - std::exp(x[7])) < T(1e-6));
}

}  // namespace

TEST_CASE("cumath: functions of complex numbers") {
  kiln::test::Turns turns(5);  // each is a compile of a large header
  check_complex<float>(turns);
  check_complex<double>(turns);
}

TEST_CASE("cumath: fmod, frexp, ldexp and modf") {
  const auto check_type = [](auto zero) {
    using T = decltype(zero);
    CAPTURE(kiln::type_name<T>());
    const auto x = values<T>(100, -20, 20), y = values<T>(100, 1, 3);
    const DeviceBuffer<T> dx(x), dy(y), a(100), b(100);
    const DeviceBuffer<int> powers(100);
    std::vector<double> rest, significands, fractions, wholes;
    std::vector<int> exponents(100);
    for (std::size_t i = 0; i < 100; ++i) {
      const double value = number(x[i]);
      rest.push_back(std::fmod(value, number(y[i])));
      significands.push_back(std::frexp(value, &exponents[i]));
      double whole = 0;
      fractions.push_back(std::modf(value, &whole));
      wholes.push_back(whole);
    }
    cumath::fmod(dx, dy, a);
    check_near(a.to_host(), rest);
    cumath::frexp(dx, a, powers);
    check_near(a.to_host(), significands);
    CHECK(powers.to_host() == exponents);
    cumath::ldexp(a, powers, b);
    CHECK(kiln::sum<double>(b).get() == kiln::sum<double>(dx).get());
    cumath::modf(dx, a, b);
    check_near(a.to_host(), fractions);
    check_near(b.to_host(), wholes);
  };
  check_type(float{});
  check_type(double{});
  check_type(__half{});
  check_type(__nv_bfloat16{});
}

TEST_CASE("cumath: slices, streams and lengths") {
  const DeviceBuffer<float> x(std::vector<float>{1, 4, 9, 16}), y(std::vector<float>(4, 0)), z(3);
  kiln::Stream stream;
  cumath::sqrt(x, y, {.slice = kiln::Slice{.step = 3}, .stream = stream});
  stream.synchronize();
  CHECK(y.to_host() == std::vector<float>{1, 0, 0, 4});
  CHECK_THROWS_WITH_AS(cumath::exp(x, z), doctest::Contains("kiln_exp_float"), kiln::ArgumentError);
}

}  // namespace cumath_gpu_test
