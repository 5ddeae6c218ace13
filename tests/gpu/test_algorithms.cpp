// The built-in kernels, against the same done on the host.
#include "loop_step.hpp"
#include "part.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace algorithms_gpu_test {

using kiln::DeviceBuffer;
using kiln::Slice;
using kiln::test::part;
using kiln::test::Turns;

namespace {

constexpr std::size_t sizes[] = {0, 1, 2, 31, 32, 33, 255, 256, 257, 1023, 1025, 5000};

/// Small whole numbers, which all types have; the extremes are not at the ends.
template <class T>
std::vector<T> counted(std::size_t n) {
  std::vector<T> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(static_cast<T>(static_cast<float>((i * 7 + 3) % 11)));
  return values;
}
template <class T>
double number(const T& value) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(value);
  else
    return static_cast<double>(static_cast<float>(value));
}
template <class T>
double number(const std::complex<T>& value) {
  return static_cast<double>(value.real());
}
template <class T>
std::vector<double> numbers(const std::vector<T>& values) {
  std::vector<double> all;
  for (const T& value : values) all.push_back(number(value));
  return all;
}

#define KILN_TEST_INTEGERS \
  signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long, long long, unsigned long long
#define KILN_TEST_REALS float, double, __half, __nv_bfloat16

template <class... Types, class Check>
void for_types(Check check) {
  (check(Types{}), ...);
}

}  // namespace

TEST_CASE("algorithms: sum, dot, norm and count of all types and sizes") {
  Turns turns(3);  // each is a compile
  for_types<KILN_TEST_INTEGERS, KILN_TEST_REALS, std::complex<float>, std::complex<double>>([&](auto zero) {
    using T = decltype(zero);
    CAPTURE(kiln::type_name<T>());
    const bool sum = turns.next(), dot = turns.next(), norm = turns.next(), count = turns.next();
    for (const std::size_t n : sizes) {
      CAPTURE(n);
      const auto x = counted<T>(n);
      const auto as_numbers = numbers(x);
      const DeviceBuffer<T> d(x);
      if (sum) CHECK(number(kiln::sum(d).get()) == std::accumulate(as_numbers.begin(), as_numbers.end(), 0.0));
      const double squares = std::inner_product(as_numbers.begin(), as_numbers.end(), as_numbers.begin(), 0.0);
      if (dot) CHECK(number(kiln::dot(d, d).get()) == squares);
      if (norm) CHECK(number(kiln::norm(d).get()) == doctest::Approx(std::sqrt(squares)).epsilon(1e-6));
      if (count)
        CHECK(kiln::count_nonzero(d).get() ==
              static_cast<long>(n) - std::count(as_numbers.begin(), as_numbers.end(), 0.0));
    }
  });
}

TEST_CASE("algorithms: what sums are added in") {
  const DeviceBuffer<signed char> bytes(std::vector<signed char>(1000, 100));
  static_assert(std::is_same_v<decltype(kiln::sum(bytes).get()), long>);
  CHECK(kiln::sum(bytes).get() == 100000);
  CHECK(kiln::sum<signed char>(bytes).get() == static_cast<signed char>(100000 & 0xff));
  const DeviceBuffer<unsigned> words(std::vector<unsigned>(3, ~0U));
  static_assert(std::is_same_v<decltype(kiln::sum(words).get()), unsigned long>);
  CHECK(kiln::sum(words).get() == 3UL * ~0U);
  CHECK(kiln::dot(words, words).get() == 3UL * ~0U * ~0U);
  const DeviceBuffer<__half> halves(std::vector<__half>(5000, __float2half(1.0f)));
  static_assert(std::is_same_v<decltype(kiln::sum(halves).get()), float>);
  CHECK(kiln::sum(halves).get() == 5000);
  const DeviceBuffer<float> floats(std::vector<float>(3, 16777216.0f));
  static_assert(std::is_same_v<decltype(kiln::sum(floats).get()), float>);
  CHECK(kiln::sum<double>(floats).get() == 3.0 * 16777216);
  const DeviceBuffer<std::complex<float>> imaginary(std::vector<std::complex<float>>(3, {0, 2}));
  CHECK(kiln::sum(imaginary).get() == std::complex<float>(0, 6));
  CHECK(kiln::dot(imaginary, imaginary).get() == std::complex<float>(-12, 0));
  CHECK(kiln::norm(imaginary).get() == std::sqrt(12.0f));
}

TEST_CASE("algorithms: extremes and their first places") {
  Turns turns(3);  // each is a compile
  for_types<KILN_TEST_INTEGERS, KILN_TEST_REALS>([&](auto zero) {
    using T = decltype(zero);
    CAPTURE(kiln::type_name<T>());
    const bool min = turns.next(), max = turns.next(), argmin = turns.next(), argmax = turns.next();
    for (const std::size_t n : sizes) {
      if (n == 0) continue;
      CAPTURE(n);
      const auto x = counted<T>(n);
      const auto as_numbers = numbers(x);
      const DeviceBuffer<T> d(x);
      const auto least = std::min_element(as_numbers.begin(), as_numbers.end());
      const auto most = std::max_element(as_numbers.begin(), as_numbers.end());
      if (min) CHECK(number(kiln::min(d).get()) == *least);
      if (max) CHECK(number(kiln::max(d).get()) == *most);
      if (argmin) CHECK(kiln::argmin(d).get() == least - as_numbers.begin());
      if (argmax) CHECK(kiln::argmax(d).get() == most - as_numbers.begin());
    }
    // A type's own extremes are found, and lose against nothing.
    if constexpr (std::is_arithmetic_v<T>) {
      const T lowest = std::numeric_limits<T>::lowest(), highest = std::numeric_limits<T>::max();
      if (max) CHECK(kiln::max(DeviceBuffer<T>(std::vector<T>(40, lowest))).get() == lowest);
      if (min) CHECK(kiln::min(DeviceBuffer<T>(std::vector<T>(40, highest))).get() == highest);
      if (argmin) CHECK(kiln::argmin(DeviceBuffer<T>(std::vector<T>(40, highest))).get() == 0);
      if (argmax) CHECK(kiln::argmax(DeviceBuffer<T>(std::vector<T>(40, lowest))).get() == 0);
    }
  });
}

TEST_CASE("algorithms: NaN is the least and the greatest, and infinities are numbers") {
  for_types<KILN_TEST_REALS>([](auto zero) {
    using T = decltype(zero);
    CAPTURE(kiln::type_name<T>());
    const auto infinity = static_cast<T>(std::numeric_limits<float>::infinity());
    const auto nan = static_cast<T>(std::numeric_limits<float>::quiet_NaN());
    auto x = counted<T>(3000);
    CHECK(number(kiln::min(DeviceBuffer<T>(std::vector<T>(40, infinity))).get()) == number(infinity));
    CHECK(kiln::argmin(DeviceBuffer<T>(std::vector<T>(40, infinity))).get() == 0);
    x[1000] = nan;
    x[2000] = nan;
    const DeviceBuffer<T> d(x);
    CHECK(std::isnan(number(kiln::min(d).get())));
    CHECK(std::isnan(number(kiln::max(d).get())));
    CHECK(kiln::argmin(d).get() == 1000);
    CHECK(kiln::argmax(d).get() == 1000);
    const DeviceBuffer<T> nans(std::vector<T>(3000, nan)), zeros(counted<T>(3000)), z(3000);
    CHECK(kiln::any(nans).get());
    kiln::maximum(d, zeros, z);
    CHECK(std::isnan(number(z.to_host()[1000])));
    kiln::minimum(zeros, d, z);
    CHECK(std::isnan(number(z.to_host()[1000])));
    CHECK(number(z.to_host()[7]) == number(x[7]));
  });
}

TEST_CASE("algorithms: any and all") {
  std::vector<int> x(1000, 0);
  const DeviceBuffer<int> zeros(x), none(0);
  x[999] = 3;
  const DeviceBuffer<int> one(x), ones(std::vector<int>(1000, 2));
  CHECK(!kiln::any(zeros).get());
  CHECK(kiln::any(one).get());
  CHECK(!kiln::any(none).get());
  CHECK(!kiln::all(one).get());
  CHECK(kiln::all(ones).get());
  CHECK(kiln::all(none).get());
}

TEST_CASE("algorithms: cumulative sums, in place too") {
  for_types<signed char, int, unsigned long, float, double, __half, std::complex<float>>([](auto zero) {
    using T = decltype(zero);
    CAPTURE(kiln::type_name<T>());
    for (const std::size_t n : sizes) {
      const std::vector<T> x(std::is_same_v<T, signed char> ? n % 128 : n % 2000, static_cast<T>(1.0f));
      const DeviceBuffer<T> d(x), y(x.size());
      kiln::cumsum(d, y);
      kiln::cumsum(d);
      std::vector<double> expected(x.size());
      std::iota(expected.begin(), expected.end(), 1.0);
      CHECK(numbers(y.to_host()) == expected);
      CHECK(numbers(d.to_host()) == expected);
    }
  });
}

TEST_CASE("algorithms: fill and arange, of slices and on streams") {
  for_types<KILN_TEST_INTEGERS, KILN_TEST_REALS>([](auto zero) {
    using T = decltype(zero);
    CAPTURE(kiln::type_name<T>());
    for (const std::size_t n : {0U, 1U, 33U, 100U}) {
      const DeviceBuffer<T> y(n);
      kiln::fill(y, static_cast<T>(7.0f));
      CHECK(numbers(y.to_host()) == std::vector<double>(n, 7));
      kiln::arange(y, static_cast<T>(1.0f), static_cast<T>(1.0f));
      std::vector<double> expected(n);
      std::iota(expected.begin(), expected.end(), 1.0);
      CHECK(numbers(y.to_host()) == expected);
    }
  });
  DeviceBuffer<int> y(std::vector<int>(7, 0));
  kiln::Stream stream;
  kiln::fill(y, 3, {.slice = Slice{.start = 1, .step = 2}, .stream = stream});
  stream.synchronize();
  CHECK(y.to_host() == std::vector<int>{0, 3, 0, 3, 0, 3, 0});
  kiln::arange(y);
  CHECK(kiln::sum(y, {.stream = stream}).get() == 21);
  DeviceBuffer<std::complex<double>> c(5);
  kiln::fill(c, {1, 2});
  CHECK(c.to_host()[4] == std::complex<double>(1, 2));
  kiln::arange(c, {1, 2}, {0, 1});
  CHECK(c.to_host()[4] == std::complex<double>(1, 6));
}

TEST_CASE("algorithms: conversions of integers, halves and real numbers to all types") {
  Turns turns(7);  // each is a compile
  for_types<signed char, unsigned long, KILN_TEST_REALS>([&](auto from) {
    using S = decltype(from);
    const DeviceBuffer<S> d(counted<S>(100));
    for_types<KILN_TEST_INTEGERS, KILN_TEST_REALS, std::complex<float>, std::complex<double>>([&](auto to) {
      using T = decltype(to);
      if (!turns.next()) return;
      CAPTURE(kiln::type_name<S>());
      CAPTURE(kiln::type_name<T>());
      const DeviceBuffer<T> y(100);
      kiln::astype(d, y);
      CHECK(numbers(y.to_host()) == numbers(counted<float>(100)));
    });
  });
  const DeviceBuffer<float> x(std::vector<float>{-1.5f, 1.5f, 3e9f});
  const DeviceBuffer<int> y(3);
  kiln::astype(x, y);
  CHECK(y.to_host() == std::vector<int>{-1, 1, std::numeric_limits<int>::max()});
  const DeviceBuffer<std::complex<double>> wide(std::vector<std::complex<double>>(3, {1, 2}));
  const DeviceBuffer<std::complex<float>> narrow(3);
  kiln::astype(wide, narrow);
  CHECK(narrow.to_host()[2] == std::complex<float>(1, 2));
}

TEST_CASE("algorithms: choices") {
  const DeviceBuffer<int> condition(std::vector<int>{0, 1, -1});
  const DeviceBuffer<float> x(std::vector<float>{1, 2, 3}), y(std::vector<float>{10, 20, 30}), z(3);
  kiln::where(condition, x, y, z);
  CHECK(z.to_host() == std::vector<float>{10, 2, 3});
  kiln::if_positive(condition, x, y, z);
  CHECK(z.to_host() == std::vector<float>{10, 2, 30});
  kiln::maximum(x, 2, z);
  CHECK(z.to_host() == std::vector<float>{2, 2, 3});
  kiln::maximum(2, x, z);
  CHECK(z.to_host() == std::vector<float>{2, 2, 3});
  kiln::minimum(2, x, z);
  CHECK(z.to_host() == std::vector<float>{1, 2, 2});
  kiln::minimum(x, 2.0f, x);
  CHECK(x.to_host() == std::vector<float>{1, 2, 2});
  kiln::maximum(x, y, x);
  CHECK(x.to_host() == std::vector<float>{10, 20, 30});
}

TEST_CASE("algorithms: take and put, with indices of any integer type") {
  for_types<KILN_TEST_INTEGERS>([](auto zero) {
    using I = decltype(zero);
    std::vector<I> order(100);
    for (std::size_t i = 0; i < 100; ++i) order[i] = static_cast<I>(99 - i);
    const DeviceBuffer<I> indices(order);
    const DeviceBuffer<float> x(counted<float>(100)), y(100), z(100);
    kiln::take(x, indices, y);
    kiln::put(x, indices, z);
    auto expected = counted<float>(100);
    std::reverse(expected.begin(), expected.end());
    CHECK(y.to_host() == expected);
    CHECK(z.to_host() == expected);
  });
  CHECK_THROWS_AS(kiln::take(static_cast<const float*>(nullptr), DeviceBuffer<int>(3), DeviceBuffer<float>(3)),
                  kiln::ArgumentError);
}

TEST_CASE("algorithms: parts that begin between words, and vectors that are written in place") {
  const auto x = counted<int>(1100);
  const DeviceBuffer<int> d(x);
  for (std::size_t at = 0; at < 5; ++at) {
    const auto thousand = part(d, at, 1000);
    CHECK(kiln::sum(thousand).get() ==
          std::accumulate(x.begin() + static_cast<long>(at), x.begin() + static_cast<long>(at) + 1000, 0L));
    const auto most = std::max_element(x.begin() + static_cast<long>(at), x.begin() + static_cast<long>(at) + 1000);
    CHECK(kiln::argmax(thousand).get() == most - x.begin() - static_cast<long>(at));
  }
  const auto middle = part(d, 1, 3);
  kiln::fill(middle, -1);
  CHECK(d.to_host()[0] == x[0]);
  CHECK(d.to_host()[3] == -1);
  CHECK(d.to_host()[4] == x[4]);
}

TEST_CASE("algorithms: a result goes to the next kernel without the host") {
  const DeviceBuffer<float> x(std::vector<float>{1, 5, 2});
  const auto place = kiln::argmax(x);
  const kiln::ElementwiseKernel scale("const float* x, const long* place, float* y", "y[i] = x[i] / x[place[0]]");
  DeviceBuffer<float> y(3);
  scale(x, place, y);
  CHECK(y.to_host()[2] == 0.4f);
}

TEST_CASE("algorithms: in a captured graph") {
  const DeviceBuffer<int> x(std::vector<int>(1000, 0));
  kiln::fill(x, 1);
  kiln::cumsum(x);
  kiln::Stream stream = kiln::Stream::non_blocking();
  const kiln::Graph graph = kiln::capture(stream, [&] {
    kiln::fill(x, 2, {.stream = stream});
    kiln::cumsum(x, {.stream = stream});
    CHECK_THROWS_WITH_AS(kiln::sum(x, {.stream = stream}), doctest::Contains("captured"), kiln::ArgumentError);
  });
  kiln::fill(x, 0);
  kiln::synchronize();
  graph.launch(stream);
  stream.synchronize();
  CHECK(x.to_host()[999] == 2000);
}

namespace {

/// Places for what all reductions give.
struct Results {
  DeviceBuffer<long> sum{1}, argmin{1}, argmax{1}, count{1};
  DeviceBuffer<double> dot{1}, norm{1};
  DeviceBuffer<int> min{1}, max{1};
  DeviceBuffer<bool> any{1}, all{1};

  void reduce(const DeviceBuffer<int>& x, CUstream stream) {
    kiln::sum(x, sum, {.stream = stream});
    kiln::dot(x, x, dot, {.stream = stream});
    kiln::norm(x, norm, {.stream = stream});
    kiln::min(x, min, {.stream = stream});
    kiln::max(x, max.data(), {.stream = stream});
    kiln::argmin(x, argmin, {.stream = stream});
    kiln::argmax(x, argmax, {.stream = stream});
    kiln::any(x, any, {.stream = stream});
    kiln::all(x, all, {.stream = stream});
    kiln::count_nonzero(x, count, {.stream = stream});
  }
  void check(long count_of_each) {
    CHECK(sum.to_host()[0] == 3 * count_of_each);
    CHECK(dot.to_host()[0] == 29.0 * static_cast<double>(count_of_each));
    CHECK(norm.to_host()[0] == doctest::Approx(std::sqrt(29.0 * static_cast<double>(count_of_each))));
    CHECK(min.to_host()[0] == -2);
    CHECK(max.to_host()[0] == 5);
    CHECK(argmin.to_host()[0] == 1);
    CHECK(argmax.to_host()[0] == 2);
    CHECK(any.to_host()[0]);
    CHECK(!all.to_host()[0]);
    CHECK(count.to_host()[0] == 2 * count_of_each);
  }
};

std::vector<int> thrice(std::size_t n) {
  std::vector<int> values;
  for (std::size_t i = 0; i < n; ++i) values.insert(values.end(), {0, -2, 5});
  return values;
}

}  // namespace

TEST_CASE("algorithms: results in memory of the program's, also in a captured graph") {
  const DeviceBuffer<int> x(thrice(500)), zeros(std::vector<int>(1500, 0)), copy(thrice(500));
  Results direct, captured;
  direct.reduce(x, nullptr);
  direct.check(500);
  kiln::Stream stream = kiln::Stream::non_blocking();
  const kiln::Graph graph = kiln::capture(stream, [&] { captured.reduce(copy, stream); });
  for (int turn = 0; turn < 2; ++turn) {
    captured.reduce(zeros, nullptr);
    CHECK(captured.max.to_host()[0] == 0);
    graph.launch(stream);
    stream.synchronize();
    captured.check(500);
  }
  const DeviceBuffer<int> two(2);
  CHECK_THROWS_WITH_AS(kiln::min(x, two), doctest::Contains("expected memory of 1 element, given 2 elements"),
                       kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(kiln::min(x, static_cast<int*>(nullptr)), doctest::Contains("given null"), kiln::ArgumentError);
}

TEST_CASE("algorithms: many threads that want a kernel first") {
  std::vector<std::thread> threads;
  std::vector<long> sums(8);
  for (long& result : sums)
    threads.emplace_back([&result] {
      const DeviceBuffer<char> x(std::vector<char>(100, 1));
      result = kiln::sum(x).get();
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(sums == std::vector<long>(8, 100));
}

TEST_CASE("algorithms: what makes no sense is refused") {
  const DeviceBuffer<float> none(0), three(3), four(4);
  CHECK_THROWS_WITH_AS(kiln::min(none), doctest::Contains("kiln::min"), kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(kiln::argmax(none), doctest::Contains("length 0"), kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(kiln::dot(three, four), doctest::Contains("kiln_dot_float"), kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(kiln::sum(three.data()), doctest::Contains("length"), kiln::ArgumentError);
  CHECK_THROWS_AS(kiln::where(three, three, four, four), kiln::ArgumentError);
}

}  // namespace algorithms_gpu_test
