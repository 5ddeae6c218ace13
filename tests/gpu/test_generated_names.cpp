// A program's names that are, or were, also in generated code; and elements of another size than in the source.
#include <doctest/doctest.h>
#include <kiln/algorithms.hpp>
#include <kiln/kiln.hpp>

#include <complex>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

namespace generated_names_gpu_test {

using kiln::DeviceBuffer;
using kiln::ElementwiseKernel;
using kiln::ReductionKernel;

namespace {

constexpr std::size_t n = 1003;

std::vector<float> counted() {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i % 50);
  return values;
}

float sum_of(const std::vector<float>& values) {
  float sum = 0;
  for (const float value : values) sum += value;
  return sum;
}

/// Macros with names that helpers use, or used; expressions may not rely on any of them.
std::string macros() {
  std::string text;
  for (const char* name : {"T",     "N",      "U",       "x",        "y",       "z",      "w",         "k",
                           "at",    "size",   "count",   "counter",  "value",   "values", "load",      "store",
                           "lanes", "lane",   "element", "index",    "Index",   "first",  "last",      "result",
                           "type",  "types",  "words",   "word",     "bits",    "here",   "window",    "sum",
                           "sums",  "thread", "threads", "turn",     "turns",   "from",   "to",        "given",
                           "Given", "out",    "in",      "partials", "post",    "reduce", "neutral",   "warps",
                           "items", "tile",   "tiles",   "states",   "epoch",   "before", "head",      "own",
                           "start", "stop",   "step",    "extents",  "strides", "places", "kiln_size", "kiln_generated",
                           "unroll"})
    text += std::string("#define ") + name + " 3\n";
  return text;
}

struct Small {
  float first;
};
struct Large {
  float first, second;
};
const char* const large_preamble = "struct Large { float first, second; };";

}  // namespace

TEST_CASE("generated names: vectors and scalars may have any") {
  const auto values = counted();
  const DeviceBuffer<float> a(values), b(std::vector<float>(n, 1000.0f));
  DeviceBuffer<float> y(n);
  auto expected = values;
  const ElementwiseKernel minus("const float* x, const float* x_here, float* y", "y[i] = x[i] - x_here[i]");
  minus(a, b, y);
  for (std::size_t i = 0; i < n; ++i) expected[i] = values[i] - 1000;
  CHECK(y.to_host() == expected);
  minus(b, a, y);
  for (std::size_t i = 0; i < n; ++i) expected[i] = 1000 - values[i];
  CHECK(y.to_host() == expected);

  const ElementwiseKernel many(
      "const float* at, const float* size, float k, float turn, const float* start, float* step",
      "step[i] = at[i] + size[i] * k + turn + start[i]");
  many(a, b, 2.0f, 3.0f, a, y);
  for (std::size_t i = 0; i < n; ++i) expected[i] = values[i] + 2000 + 3 + values[i];
  CHECK(y.to_host() == expected);
  many({.range = kiln::Slice{.start = 0, .stop = 10}}, a, b, 0.0f, 1.0f, a, y);
  for (std::size_t i = 0; i < 10; ++i) expected[i] = values[i] + 1 + values[i];
  CHECK(y.to_host() == expected);

  for (const std::string name : {"sums", "reduce", "value", "out", "counter", "a", "kiln_sum"}) {
    CAPTURE(name);
    const ReductionKernel<float> sum(
        {.neutral = "0", .reduce_expr = "a + b", .map_expr = name + "[i]", .arguments = "const float* " + name});
    CHECK(sum(a).get() == sum_of(values));
  }
}

TEST_CASE("generated names: macros of a preamble reach no helper") {
  const auto values = counted();
  const DeviceBuffer<float> from(values);
  DeviceBuffer<float> to_be(n);
  const ElementwiseKernel more("const float* v, float* r", "r[i] = v[i] + 1", {.preamble = macros()});
  more(from, to_be);
  auto expected = values;
  for (float& value : expected) ++value;
  CHECK(to_be.to_host() == expected);
  to_be.fill(0);
  more({.slice = kiln::Slice{}}, from, to_be);
  CHECK(to_be.to_host() == expected);

  // Stored where it changed, which compares words.
  const ElementwiseKernel maybe(
      "const float* v, float* r", "keep_larger(r[i], v[i])",
      {.preamble = "__device__ void keep_larger(float& r, float v) { if (v > r) r = v; }\n" + macros()});
  maybe(from, to_be);
  CHECK(to_be.to_host() == expected);

  const ReductionKernel<float> sum({.neutral = "0",
                                    .reduce_expr = "a + b",
                                    .map_expr = "v[i]",
                                    .arguments = "const float* v",
                                    .preamble = macros()});
  CHECK(sum(from).get() == sum_of(values));

  kiln::ScanOptions options;
  options.preamble = macros();
  const kiln::InclusiveScanKernel<float> inclusive("a + b", options);
  inclusive(from, to_be);
  CHECK(to_be.to_host().back() == sum_of(values));
  const kiln::ExclusiveScanKernel<std::complex<double>> exclusive("a + b", "0", options);
  DeviceBuffer<std::complex<double>> large(std::vector<std::complex<double>>(n, {1, 2}));
  exclusive(large);
  CHECK(large.to_host().back() == std::complex<double>(n - 1, 2.0 * (n - 1)));
}

TEST_CASE("generated names: macros of the environment reach no usual kernel") {
  const char* const variable = "KILN_DEFAULT_OPTIONS";
  const char* const given = std::getenv(variable);
  const std::string before = given == nullptr ? "" : given;
  // Types that no other test uses. NVRTC's own header does not compile with many names, such as size.
  ::setenv(variable, (before + " -Dkiln_first=3 -Dkiln_checked=3 -Di=3 -Dn=3 -Dindices=3 -Dnumbers=3").c_str(), 1);
  DeviceBuffer<short> values(std::vector<short>{3, 1, 2});
  const DeviceBuffer<short> places(std::vector<short>{2, 0});
  DeviceBuffer<short> taken(2);
  kiln::take(values, places, taken);
  const long where = kiln::argmin(values).get();
  kiln::cumsum(values);
  if (given == nullptr)
    ::unsetenv(variable);
  else
    ::setenv(variable, before.c_str(), 1);
  CHECK(taken.to_host() == std::vector<short>{2, 3});
  CHECK(where == 1);
  CHECK(values.to_host() == std::vector<short>{3, 4, 6});
}

TEST_CASE("generated names: elements of another size than the source's are refused") {
  const ElementwiseKernel set("Large* p", "p[i].second = 1", {.name = "set", .preamble = large_preamble});
  DeviceBuffer<Large> right(std::vector<Large>(8));
  set(right);
  set({.slice = kiln::Slice{.start = 1}}, right);
  CHECK(right.to_host()[7].second == 1);
  CHECK(right.to_host()[7].first == 0);

  const auto check = [](const auto& call) {
    try {
      call();
      FAIL("not refused");
    } catch (const kiln::ArgumentError& error) {
      const std::string text = error.what();
      CAPTURE(text);
      CHECK(text.find("elements of 8 bytes") != std::string::npos);
      CHECK(text.find("has elements of 4 bytes") != std::string::npos);
    }
  };
  DeviceBuffer<Small> wrong(std::vector<Small>(8));
  std::vector<Small> host(8);
  check([&] { set(wrong); });
  check([&] { set({.slice = kiln::Slice{.start = 1}}, wrong); });
  check([&] { set({.range = kiln::Slice{.start = 0, .stop = 2}}, wrong); });
  check([&] { set(kiln::InOut(host)); });
  check([&] { set.typed<void(Small*)>()(wrong); });
  // A pointer has no length; the program says which elements there are.
  set({.range = kiln::Slice{.start = 0, .stop = 2}}, wrong.data());

  const ReductionKernel<float> sum({.neutral = "0",
                                    .reduce_expr = "a + b",
                                    .map_expr = "p[i].second",
                                    .arguments = "const Large* p",
                                    .preamble = large_preamble});
  CHECK(sum(right).get() == 8);
  check([&] { (void)sum(wrong); });

  // CUDA's own types, too: these are half as many elements as they should be.
  const ElementwiseKernel pairs("float2* p", "p[i].x = 1");
  DeviceBuffer<float> floats(std::vector<float>(8));
  check([&] { pairs(floats); });
  const ElementwiseKernel twice("float* v", "v[i] *= 2");
  DeviceBuffer<std::complex<float>> complex(std::vector<std::complex<float>>(8));
  CHECK_THROWS_AS(twice(complex), kiln::ArgumentError);
  twice({.range = kiln::Slice{.start = 0, .stop = 16}}, complex.data());
}

TEST_CASE("generated names: a reference is checked as a pointer is") {
  const kiln::SourceModule module(
      "__global__ void scale(float* v, const double& by) { v[threadIdx.x] *= by; }\n"
      "__global__ void sum(float* v, const double (&by)[2]) { v[threadIdx.x] += by[0] + by[1]; }\n");
  const auto scale = module.get_function("scale"), sum = module.get_function("sum");
  const DeviceBuffer<float> v(std::vector<float>(4, 1.5f));
  const DeviceBuffer<double> by(std::vector<double>{2, 3});
  const DeviceBuffer<int> integers(std::vector<int>(4));
  scale({1, 4}, v, by);
  sum({1, 4}, v, by);
  CHECK(v.to_host() == std::vector<float>(4, 8.0f));
  CHECK_THROWS_AS(scale({1, 4}, v, integers), kiln::ArgumentError);
  CHECK_THROWS_AS(scale({1, 4}, v, 2.0), kiln::ArgumentError);
  CHECK_THROWS_AS(sum({1, 4}, v, integers), kiln::ArgumentError);
  CHECK_THROWS_AS(sum({1, 4}, v, 2.0), kiln::ArgumentError);
  const auto prepare_wrong = [&] { (void)scale.prepare<float*, int*>(); };
  const auto state_right = [&] { (void)module.get_function<void(float*, const double*)>("scale"); };
  const auto state_wrong = [&] { (void)module.get_function<void(float*, int*)>("scale"); };
  const auto state_value = [&] { (void)module.get_function<void(float*, double)>("sum"); };
  CHECK_THROWS_AS(prepare_wrong(), kiln::ArgumentError);
  CHECK_NOTHROW(state_right());
  CHECK_THROWS_AS(state_wrong(), kiln::ArgumentError);
  CHECK_THROWS_AS(state_value(), kiln::ArgumentError);
}

}  // namespace generated_names_gpu_test
