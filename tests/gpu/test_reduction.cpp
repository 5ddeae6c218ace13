// One value from all elements.
#include "part.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

struct MinMax {
  float least, most;
};

namespace reduction_gpu_test {

using kiln::DeviceBuffer;
using kiln::ReductionKernel;
using kiln::test::part;

namespace {

template <class T>
std::vector<T> counted(std::size_t n) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<T>(i * 7 % 101);
  return values;
}

constexpr std::size_t sizes[] = {0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 1000, 4096, 4097, 100003};

}  // namespace

TEST_CASE("reduction: sums and dot products of all sizes around those of warps and blocks") {
  const ReductionKernel<long> sum({.neutral = "0", .reduce_expr = "a + b", .name = "sum"});
  const ReductionKernel<double> dot({.neutral = "0",
                                     .reduce_expr = "a + b",
                                     .map_expr = "x[i] * y[i]",
                                     .arguments = "const float* x, const double* y"});
  for (const std::size_t n : sizes) {
    CAPTURE(n);
    const auto numbers = counted<long>(n);
    const auto x = counted<float>(n);
    const auto y = counted<double>(n);
    DeviceBuffer<long> d(numbers);
    DeviceBuffer<float> dx(x);
    DeviceBuffer<double> dy(y);
    CHECK(sum(d).get() == std::accumulate(numbers.begin(), numbers.end(), 0L));
    CHECK(dot(dx, dy).get() == std::inner_product(y.begin(), y.end(), x.begin(), 0.0));
  }
}

TEST_CASE("reduction: several results in a struct, a neutral list, and a post expression") {
  const ReductionKernel<MinMax> range({.neutral = "{INFINITY, -INFINITY}",
                                       .reduce_expr = "MinMax{fminf(a.least, b.least), fmaxf(a.most, b.most)}",
                                       .map_expr = "MinMax{x[i], x[i]}",
                                       .arguments = "const float* x",
                                       .post_expr = "MinMax{a.least - 1, a.most + 1}",
                                       .preamble = "struct MinMax { float least, most; };"});
  std::vector<float> x(5000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<float>(i));
  DeviceBuffer<float> d(x);
  const MinMax found = range(d).get();
  CHECK(found.least == *std::min_element(x.begin(), x.end()) - 1);
  CHECK(found.most == *std::max_element(x.begin(), x.end()) + 1);
}

TEST_CASE("reduction: a value of another size in the source than in the program is refused") {
  const auto largest = [](const char* preamble) {
    return ReductionKernel<MinMax>({.neutral = "{}", .reduce_expr = "a", .name = "largest", .preamble = preamble});
  };
  CHECK_NOTHROW(largest("struct MinMax { float least, most; };"));
  CHECK_THROWS_WITH_AS(largest("struct MinMax { float least, most, third; };"),
                       doctest::Contains("largest: T has 8 bytes in the program"), kiln::CompileError);
}

TEST_CASE("reduction: types of one to sixteen bytes") {
  const auto check = [](auto type) {
    using T = decltype(type);
    const ReductionKernel<T> most({.neutral = "0", .reduce_expr = "a > b ? a : b", .name = "most"});
    const auto x = counted<T>(3001);
    DeviceBuffer<T> d(x);
    CHECK(most(d).get() == *std::max_element(x.begin(), x.end()));
  };
  check(char{});
  check(std::uint8_t{});
  check(short{});
  check(unsigned{});
  check(long{});
  check(float{});
  check(double{});
  const ReductionKernel<std::complex<double>> product({.neutral = "0", .reduce_expr = "a + b", .name = "sum"});
  DeviceBuffer<std::complex<double>> d(std::vector<std::complex<double>>(300, {1, 2}));
  CHECK(product(d).get() == std::complex<double>(300, 600));
}

TEST_CASE("reduction: parts that begin between words, scalars, other elements than i") {
  const ReductionKernel<int> above({.neutral = "0",
                                    .reduce_expr = "a + b",
                                    .map_expr = "x[i] > limit ? 1 : 0",
                                    .arguments = "int limit, const int* x"});
  const auto x = counted<int>(2000);
  DeviceBuffer<int> d(x);
  for (std::size_t at = 0; at < 5; ++at) {
    const auto expected = std::count_if(x.begin() + static_cast<long>(at), x.begin() + static_cast<long>(at) + 1900,
                                        [](int v) { return v > 50; });
    CHECK(above(50, part(d, at, 1900)).get() == expected);
  }
  const ReductionKernel<int> steps({.neutral = "0",
                                    .reduce_expr = "max(a, b)",
                                    .map_expr = "i > 0 ? abs(x[i] - x[i - 1]) : 0",
                                    .arguments = "const int* x"});
  CHECK(steps(d).get() == 94);
}

TEST_CASE("reduction: results stay on the device, and are arguments of kernels") {
  const ReductionKernel<float> sum({.neutral = "0", .reduce_expr = "a + b"});
  const kiln::ElementwiseKernel normalise("const float* total, float* x", "x[i] /= total[0]");
  kiln::Stream stream;
  DeviceBuffer<float> x(std::vector<float>(100, 2));
  const auto total = sum({.stream = stream}, x);
  normalise({.stream = stream}, total, x);
  stream.synchronize();
  CHECK(x.to_host() == std::vector<float>(100, 0.01f));
  DeviceBuffer<float> results(std::vector<float>(3, 0));
  sum.into(results.data() + 1, {}, x);
  CHECK(results.to_host()[1] == doctest::Approx(1));
  CHECK(results.to_host()[2] == 0);
}

TEST_CASE("reduction: many at once, on streams and threads, are each right") {
  const ReductionKernel<long> sum({.neutral = "0", .reduce_expr = "a + b"});
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      kiln::Device(0).make_current();
      kiln::Stream stream;
      std::vector<kiln::ReductionResult<long>> results;
      const std::size_t n = 20000 + t * 1000;
      DeviceBuffer<long> x(std::vector<long>(n, 3));
      for (int k = 0; k < 20; ++k) results.push_back(k % 2 == 0 ? sum({.stream = stream}, x) : sum(x));
      for (const auto& result : results) wrong[t] += result.get() != static_cast<long>(3 * n);
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4, 0));
}

TEST_CASE("reduction: in a captured graph, with a place for the result") {
  const ReductionKernel<int> sum({.neutral = "0", .reduce_expr = "a + b", .name = "sum"});
  DeviceBuffer<int> x(std::vector<int>(10000, 1)), out(std::vector<int>(1, 0));
  (void)sum(x).get();
  kiln::Stream stream = kiln::Stream::non_blocking();
  const kiln::Graph graph = kiln::capture(stream, [&] {
    CHECK_THROWS_WITH_AS((void)sum({.stream = stream}, x), doctest::Contains("into("), kiln::ArgumentError);
    sum.into(out.data(), {.stream = stream}, x);
  });
  for (int k = 1; k < 4; ++k) {
    x.fill(k);
    kiln::synchronize();
    graph.launch(stream);
    stream.synchronize();
    CHECK(out.to_host()[0] == 10000 * k);
  }
}

TEST_CASE("reduction: a sum of floats is the same each time") {
  const ReductionKernel<float> sum({.neutral = "0", .reduce_expr = "a + b"});
  std::vector<float> x(200000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<float>(i)) * 1e3f;
  DeviceBuffer<float> d(x);
  const float first = sum(d).get();
  for (int k = 0; k < 10; ++k) CHECK(sum(d).get() == first);
}

TEST_CASE("reduction: what makes no sense is refused") {
  CHECK_THROWS_WITH_AS(ReductionKernel<int>({.reduce_expr = "a + b"}), doctest::Contains("neutral"),
                       kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(ReductionKernel<int>({.neutral = "0"}), doctest::Contains("reduce_expr"), kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(ReductionKernel<int>({.neutral = "0.5", .reduce_expr = "a + b"}), doctest::Contains("neutral"),
                       kiln::CompileError);
  CHECK_THROWS_WITH_AS(ReductionKernel<int>({.neutral = "0", .reduce_expr = "a + c"}), doctest::Contains("reduce_expr"),
                       kiln::CompileError);
  try {
    const ReductionKernel<int> unknown({.neutral = "0", .reduce_expr = "a + b", .type = "Unknown"});
    FAIL("compiled");
  } catch (const kiln::CompileError& error) {
    CHECK(error.log().find("Unknown") != std::string::npos);
    CHECK(error.log().find("ldcg") == std::string::npos);  // of the program's texts alone
  }
  CHECK_THROWS_AS(ReductionKernel<int>({.neutral = "0", .reduce_expr = "a + b", .map_expr = "x[i"}),
                  kiln::ArgumentError);
  const ReductionKernel<int> sum({.neutral = "0", .reduce_expr = "a + b", .name = "sum"});
  DeviceBuffer<float> wrong(10);
  DeviceBuffer<int> x(10), y(11);
  CHECK_THROWS_AS((void)sum(wrong), kiln::ArgumentError);
  CHECK_THROWS_AS((void)sum(x, x), kiln::ArgumentError);
  CHECK_THROWS_WITH_AS((void)sum(x.data()), doctest::Contains("length"), kiln::ArgumentError);
  const ReductionKernel<int> dot(
      {.neutral = "0", .reduce_expr = "a + b", .map_expr = "x[i] * y[i]", .arguments = "const int* x, const int* y"});
  CHECK_THROWS_WITH_AS((void)dot(x, y), doctest::Contains("y has 11"), kiln::ArgumentError);
}

TEST_CASE("reduction: a place that is null is refused") {
  const kiln::ReductionKernel<float> sum({.neutral = "0", .reduce_expr = "a + b"});
  const kiln::DeviceBuffer<float> x(std::vector<float>(3, 1));
  CHECK_THROWS_WITH_AS(sum.into(nullptr, {}, x), doctest::Contains("the place of the result"), kiln::ArgumentError);
}

TEST_CASE("reduction: what an expression lacks at its end is an error of that expression, and shows it") {
  const auto shows = [](kiln::ReductionOptions options, const std::string& place, const std::string& line) {
    options.name = "broken";
    try {
      const ReductionKernel<int> kernel(options);
      FAIL("compiled");
    } catch (const kiln::CompileError& error) {
      const std::string text = error.what();
      CHECK_MESSAGE(text.find("\"broken.cu\": broken: " + place + "(1): error: expected an exp") != std::string::npos,
                    text);
      CHECK_MESSAGE(text.find("> ") < text.find(" | " + line + "\n"), text);
      CHECK_MESSAGE(text.substr(0, text.find("log:")).find("generated") == std::string::npos, text);
    }
  };
  shows({.neutral = "0", .reduce_expr = "a +"}, "reduce_expr", "a +");
  shows({.neutral = "3 *", .reduce_expr = "a + b"}, "neutral", "3 *");
  shows({.neutral = "0", .reduce_expr = "a + b", .map_expr = "x[i] *", .arguments = "const int* x"}, "map_expr",
        "x[i] *");
  shows({.neutral = "0", .reduce_expr = "a + b", .post_expr = "a -"}, "post_expr", "a -");
}

}  // namespace reduction_gpu_test
