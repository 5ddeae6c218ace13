// Kernels from one statement about element i.
#include "part.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace elementwise_gpu_test {

using kiln::DeviceBuffer;
using kiln::ElementwiseConfig;
using kiln::ElementwiseKernel;
using kiln::Slice;
using kiln::test::part;

namespace {

template <class T>
std::vector<T> counted(std::size_t n, int first = 0) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<T>((i + static_cast<std::size_t>(first)) % 100);
  return values;
}

}  // namespace

TEST_CASE("elementwise: axpy of all sizes around those of words, warps and blocks") {
  const ElementwiseKernel axpy("float a, const float* x, float* y", "y[i] = a * x[i] + y[i]");
  for (const std::size_t n : {0U, 1U, 2U, 3U, 4U, 5U, 31U, 32U, 33U, 255U, 256U, 257U, 1023U, 1024U, 1025U, 4099U}) {
    CAPTURE(n);
    const auto x = counted<float>(n), y = counted<float>(n, 7);
    DeviceBuffer<float> dx(x), dy(y);
    axpy(2.0f, dx, dy);
    const auto result = dy.to_host();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong += result[i] != 2 * x[i] + y[i];
    CHECK(wrong == 0);
  }
}

TEST_CASE("elementwise: offsets that break the alignment of words, and memory behind the vectors is left alone") {
  const ElementwiseKernel axpy("float a, const float* x, float* y", "y[i] = a * x[i] + y[i]", {.name = "axpy"});
  constexpr std::size_t n = 1000, all = n + 16;
  const auto x = counted<float>(all), y = counted<float>(all, 3);
  for (std::size_t x_at = 0; x_at < 5; ++x_at) {
    for (std::size_t y_at = 0; y_at < 5; ++y_at) {
      DeviceBuffer<float> dx(x), dy(y);
      axpy(3.0f, part(dx, x_at, n), part(dy, y_at, n));
      auto expected = y;
      for (std::size_t i = 0; i < n; ++i) expected[y_at + i] += 3 * x[x_at + i];
      CHECK(dy.to_host() == expected);
    }
  }
}

TEST_CASE("elementwise: a vector given twice, and vectors that overlap") {
  const ElementwiseKernel twice("const int* x, int* y", "y[i] = 2 * x[i]");
  const auto x = counted<int>(100);
  DeviceBuffer<int> d(x);
  twice(d, d);
  auto expected = x;
  for (int& value : expected) value *= 2;
  CHECK(d.to_host() == expected);
  // Reads what it wrote, of the same element.
  const ElementwiseKernel in_order("int* a, int* b, int* c", "a[i] = 5; c[i] = b[i]");
  DeviceBuffer<int> same(counted<int>(100)), c(100);
  in_order(same, same, c);
  CHECK(c.to_host() == std::vector<int>(100, 5));
  // Each element is read and written once, half a vector further on.
  DeviceBuffer<int> halves(counted<int>(100));
  const ElementwiseKernel copy("const int* from, int* to", "to[i] = from[i] + 1");
  copy(part(halves, 0, 50), part(halves, 50, 50));
  const auto result = halves.to_host();
  for (int i = 0; i < 50; ++i) REQUIRE(result[static_cast<std::size_t>(50 + i)] == i + 1);
}

TEST_CASE("elementwise: vectors that are written sometimes keep their other elements") {
  const auto x = counted<int>(1000);
  const std::vector<int> before(1000, -1);
  const ElementwiseKernel even("const int* x, int* y", "if (x[i] % 2 == 0) y[i] = x[i]");
  const ElementwiseKernel add("const int* x, int* y", "y[i] += x[i]; if (x[i] > 50) y[i] = 0");
  DeviceBuffer<int> dx(x), dy(before), dz(before);
  even(dx, dy);
  add(dx, dz);
  const auto y = dy.to_host(), z = dz.to_host();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    wrong += y[i] != (x[i] % 2 == 0 ? x[i] : -1);
    wrong += z[i] != (x[i] > 50 ? 0 : x[i] - 1);
  }
  CHECK(wrong == 0);
}

TEST_CASE("elementwise: other elements than i, vectors of other lengths, and their values by reference") {
  const auto x = counted<float>(333);
  std::vector<int> order(333);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(332 - i);
  const ElementwiseKernel take("const float* x, const int* order, float* y", "y[i] = x[order[i]]");
  const ElementwiseKernel parts("const float* x, float* whole, float* rest", "rest[i] = modff(x[i] / 4, &whole[i])");
  DeviceBuffer<float> dx(x), y(200), whole(333), rest(333);
  DeviceBuffer<int> d(order);
  take(dx, part(d, 0, 200), y);
  CHECK(y.to_host()[199] == x[133]);
  parts(dx, whole, rest);
  CHECK(whole.to_host()[7] == 1.0f);
  CHECK(rest.to_host()[7] == 0.75f);
  const ElementwiseKernel difference("const float* x, float* y", "y[i] = i + 1 < n ? x[i + 1] - x[i] : 0");
  DeviceBuffer<float> dy(333);
  difference(dx, dy);
  CHECK(dy.to_host()[5] == 1);
  CHECK(dy.to_host()[332] == 0);
}

TEST_CASE("elementwise: operations whose words hide what they do") {
  const auto x = counted<float>(100);
  const auto result_of = [&](const char* operation, const kiln::ElementwiseOptions& options = {}) {
    DeviceBuffer<float> dx(x), y(std::vector<float>(100, -1.0f));
    ElementwiseKernel("const float* x, float* y", operation, options)(dx, y);
    return y.to_host();
  };
  CHECK(result_of("y[i] = __ldg(&x[i])") == x);
  CHECK(result_of("float t = y[i] + 1; float& r = y[i]; r = x[i] + t") == x);
  const auto next = result_of("y[i] = x[i] + (i + 1 < n ? NEXT : 0)", {.preamble = "#define NEXT x[i + 1]\n"});
  CHECK(next[7] == 15);
  const auto some = result_of("only(x[i] > 50); y[i] = x[i]", {.preamble = "#define only(c) if (!(c)) continue\n"});
  CHECK(some[50] == -1);
  CHECK(some[51] == 51);
  const auto first = result_of("for (int i = 0; i < 3; ++i) y[i] = x[i]");
  CHECK(first[2] == 2);
  CHECK(first[3] == -1);
  const ElementwiseKernel by_reference("float* x, float* y", "y[i] = twice(x[i]) + sqrtf(y[i])",
                                       {.preamble = "__device__ float twice(float& v) { return v *= 2; }"});
  DeviceBuffer<float> dx(x), dy(std::vector<float>(100, 9.0f));
  by_reference(dx, dy);
  CHECK(dx.to_host()[7] == 14);
  CHECK(dy.to_host()[7] == 17);
  const ElementwiseKernel by_value("float* x, float* y", "y[i] = fmaxf(x[i], 20) + (int)x[i]");
  by_value(dx, dy);
  CHECK(dy.to_host()[7] == 34);
  CHECK(dx.to_host()[50] == 100);
  CHECK(result_of("y[i] = 2; y[i] = p[i] + x[i]", {.loop_prep = "const float* p = y"})[3] == 5);
}

TEST_CASE("elementwise: the same vector twice in a loop, null for what is not read, pointers that are const") {
  const ElementwiseKernel down("const int* x, int* y", "while (x[i] > 3) y[i] -= 1");
  DeviceBuffer<int> same(counted<int>(100));
  down(same, same);
  CHECK(same.to_host()[99] == 3);
  const ElementwiseKernel masked("const float* mask, int is_masked, float* const y", "if (is_masked) y[i] *= mask[i]");
  DeviceBuffer<float> y(std::vector<float>(100, 2.0f)), mask(std::vector<float>(100, 3.0f));
  masked(static_cast<const float*>(nullptr), 0, y);
  CHECK(y.to_host()[99] == 2);
  masked(mask, 1, y);
  CHECK(y.to_host()[99] == 6);
  const ElementwiseKernel rows("const float** rows, const float* table", "rows[i] = table + 2 * i");
  DeviceBuffer<const float*> row(8);
  rows(row, mask);
  CHECK(row.to_host()[3] == mask.data() + 6);
}

TEST_CASE("elementwise: ranges with steps as long as a long") {
  const ElementwiseKernel count("int* y", "y[i] += 1");
  DeviceBuffer<int> y(std::vector<int>(10, 0));
  count({.slice = Slice{.start = 3, .step = 1L << 60}}, y);
  CHECK(y.to_host() == std::vector<int>{0, 0, 0, 1, 0, 0, 0, 0, 0, 0});
  count({.range = Slice{.start = 7, .stop = -1, .step = -(1L << 60)}}, y);
  CHECK(y.to_host() == std::vector<int>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0});
}

TEST_CASE("elementwise: ranges and slices") {
  const ElementwiseKernel mark("int* y", "y[i] = (int)i + 1");
  const auto run = [&](const ElementwiseConfig& config) {
    DeviceBuffer<int> y(std::vector<int>(10, 0));
    mark(config, y);
    std::string text;
    for (const int value : y.to_host()) text += value == 0 ? "." : std::to_string(value - 1);
    return text;
  };
  const ElementwiseKernel lengths("long* y", "y[i] = n");
  DeviceBuffer<long> length(std::vector<long>(4, 0));
  lengths({.slice = Slice{1, 2, {}}}, length);
  lengths({.range = Slice{2, 3, {}}}, length);
  CHECK(length.to_host() == std::vector<long>{0, 4, 4, 0});
  CHECK(run({.range = Slice{2, 5, {}}}) == "..234.....");
  CHECK(run({.range = Slice{1, 10, 3}}) == ".1..4..7..");
  CHECK(run({.range = Slice{8, 2, -2}}) == "....4.6.8.");
  CHECK(run({.range = Slice{5, 5, {}}}) == "..........");
  CHECK(run({.slice = Slice{}}) == "0123456789");
  CHECK(run({.slice = Slice{-3, {}, {}}}) == ".......789");
  CHECK(run({.slice = Slice{{}, 100, 4}}) == "0...4...8.");
  CHECK(run({.slice = Slice{{}, {}, -3}}) == "0..3..6..9");
  CHECK(run({.slice = Slice{7, -100, -4}}) == "...3...7..");
  CHECK_THROWS_WITH_AS(run({.range = Slice{0, 11, {}}}), doctest::Contains("y, which has 10 elements"),
                       kiln::ArgumentError);
  CHECK_THROWS_AS(run({.range = Slice{-1, 3, {}}}), kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(run({.slice = Slice{0, 3, 0}}), doctest::Contains("step"), kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(run({.range = Slice{0, 3, {}}, .slice = Slice{0, 3, {}}}), doctest::Contains("range and slice"),
                       kiln::ArgumentError);
}

TEST_CASE("elementwise: types of one to sixteen bytes, and structs, side by side") {
  const auto check = [](auto value, const std::string& type, const std::string& preamble) {
    using T = decltype(value);
    CAPTURE(type);
    const ElementwiseKernel copy("const " + type + "* x, " + type + "* y, const char* c, float* f",
                                 "y[i] = x[i]; f[i] = c[i]", {.preamble = preamble});
    constexpr std::size_t n = 517;
    std::vector<unsigned char> bytes(n * sizeof(T));
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 7);
    DeviceBuffer<T> x(n), y(n);
    DeviceBuffer<char> c(counted<char>(n));
    DeviceBuffer<float> f(n);
    kiln::memcpy_htod(x.device_pointer(), bytes);
    copy(x, y, c, f);
    std::vector<unsigned char> result(bytes.size());
    kiln::memcpy_dtoh(result, y.device_pointer());
    CHECK(result == bytes);
    CHECK(f.to_host() == counted<float>(n));
  };
  struct Three {
    int a, b, c;
  };
  struct Ten {
    char bytes[10];
  };
  struct Big {
    double d[5];
  };
  check(char{}, "char", "");
  check(short{}, "short", "");
  check(int{}, "int", "");
  check(double{}, "double", "");
  check(Three{}, "Three", "struct Three { int a, b, c; };");
  check(Ten{}, "Ten", "struct Ten { char bytes[10]; };");
  check(Big{}, "Big", "struct Big { double d[5]; };");
}

TEST_CASE("elementwise: preamble, loop_prep, after_loop, streams, host arguments, typed") {
  kiln::Stream stream;
  const ElementwiseKernel kernel("int base, const int* x, int* y, int* ends", "y[i] = square(x[i]) + offset; last = i",
                                 {.name = "squares",
                                  .preamble = "__device__ int square(int v) { return v * v; }",
                                  .loop_prep = "const int offset = base + 1; int last = -1;",
                                  .after_loop = "if (last == n - 1) ends[0] = last"});
  const auto x = counted<int>(100);
  std::vector<int> y(100), ends(1);
  DeviceBuffer<int> dx(x), dy(100), dends(std::vector<int>{0});
  kernel({.stream = stream}, 10, dx, dy, dends);
  stream.synchronize();
  CHECK(dy.to_host()[9] == 92);
  CHECK(dends.to_host()[0] == 99);
  const ElementwiseKernel half("const float* x, float* y", "y[i] = x[i] / 2");
  std::vector<float> from = {1, 2, 3}, to(3);
  half(kiln::In(from), kiln::Out(to));
  CHECK(to == std::vector<float>{0.5f, 1, 1.5f});
  const auto typed = ElementwiseKernel("float a, float* x", "x[i] *= a").typed<void(float, float*)>();
  DeviceBuffer<float> d(from);
  typed(2, d);
  CHECK(d.to_host() == std::vector<float>{2, 4, 6});
  CHECK(kernel.name() == "squares");
  CHECK(kernel.source().find("square(x[i]) + offset") != std::string::npos);
}

TEST_CASE("elementwise: texture references of the preamble") {
  const std::vector<float> table = {10, 20, 30};
  DeviceBuffer<float> d(table), y(3);
  const ElementwiseKernel kernel("float* y", "y[i] = tex1Dfetch(table, i)", {.preamble = "texture<float, 1> table;"});
  kernel.get_texref("table").set_address(d.data(), sizeof(float) * table.size());
  kernel(y);
  CHECK(y.to_host() == table);
}

TEST_CASE("elementwise: what does not fit is refused before anything is launched") {
  const ElementwiseKernel axpy("float a, const float* x, float* y", "y[i] = a * x[i] + y[i]", {.name = "axpy"});
  DeviceBuffer<float> x(10), y(11);
  DeviceBuffer<double> wide(10);
  CHECK_THROWS_WITH_AS(axpy(1.0f, x, y), doctest::Contains("y has 11 elements, and x has 10"), kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(axpy(1.0f, x), doctest::Contains("float a, const float* x, float* y"), kiln::ArgumentError);
  CHECK_THROWS_AS(axpy(1.0f, x, wide), kiln::ArgumentError);
  CHECK_THROWS_AS(axpy(1.0, x, x), kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(axpy(1.0f, x.data(), x.data()), doctest::Contains("knows its length"), kiln::ArgumentError);
  CHECK_THROWS_AS((axpy.typed<void(float, const double*, float*)>()), kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(ElementwiseKernel("float a", "a = 1"), doctest::Contains("vector"), kiln::ArgumentError);
  CHECK_THROWS_AS(ElementwiseKernel("float* i", "i[0] = 1"), kiln::ArgumentError);
  CHECK_THROWS_AS(ElementwiseKernel("float* x, float* x", "x[i] = 1"), kiln::ArgumentError);
  CHECK_THROWS_AS(ElementwiseKernel("float*", "x[i] = 1"), kiln::ArgumentError);
  CHECK_THROWS_AS(ElementwiseKernel("", "x[i] = 1"), kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(ElementwiseKernel("float a; float* x", "x[i] = a"), doctest::Contains("commas"),
                       kiln::ArgumentError);
  CHECK_THROWS_AS(ElementwiseKernel("float* x", "x[i] = (1"), kiln::ArgumentError);
  CHECK_THROWS_AS(ElementwiseKernel("float* x", "x[i] = 1", {.name = "a b"}), kiln::ArgumentError);
}

TEST_CASE("elementwise: an error of the operation shows the operation, once") {
  try {
    const ElementwiseKernel kernel("float* x", "x[i] = unknown_name", {.name = "broken"});
    FAIL("compiled");
  } catch (const kiln::CompileError& error) {
    const std::string text = error.what();
    CHECK(text.find("broken: operation") != std::string::npos);
    CHECK(text.find("x[i] = unknown_name") != std::string::npos);
    CHECK(error.log().find("unknown_name") != std::string::npos);
    CHECK(error.log().find("error") == error.log().find("error: identifier"));
  }
}

TEST_CASE("elementwise: what a text lacks at its end is an error of that text, and shows it") {
  const auto shows = [](const std::string& operation, const kiln::ElementwiseOptions& options, const std::string& place,
                        const std::string& line) {
    try {
      const ElementwiseKernel kernel("float* x, float* y", operation, options);
      FAIL("compiled");
    } catch (const kiln::CompileError& error) {
      const std::string text = error.what();
      CHECK_MESSAGE(text.find("\"broken.cu\": broken: " + place + ": error: expected a") != std::string::npos, text);
      CHECK_MESSAGE(text.find(" | " + line + "\n") != std::string::npos, text);
      CHECK_MESSAGE(text.substr(0, text.find("log:")).find("generated") == std::string::npos, text);
    }
  };
  shows("x[i] = i *", {.name = "broken"}, "operation(1)", "x[i] = i *");
  shows("y[i] = 1;\nx[i] =\n\n", {.name = "broken"}, "operation(2)", "x[i] =");
  shows("x[i] = s", {.name = "broken", .loop_prep = "float s ="}, "loop_prep(1)", "float s =");
  shows("x[i] = 1", {.name = "broken", .after_loop = "y[0] = 3 *"}, "after_loop(1)", "y[0] = 3 *");
  shows("x[i] = 1", {.name = "broken", .preamble = "struct S { int a; }"}, "preamble(1)", "struct S { int a; }");
  const ElementwiseKernel comment("float* x", "x[i] = 1  // the end");
  const ElementwiseKernel nothing("float* x", "");
}

}  // namespace elementwise_gpu_test
