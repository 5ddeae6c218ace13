// All sums up to each element.
#include "part.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

struct Affine {
  std::uint32_t factor, offset, unused;
};
struct Matrix {
  std::uint32_t m[4];
};

namespace scan_gpu_test {

using kiln::DeviceBuffer;
using kiln::ExclusiveScanKernel;
using kiln::InclusiveScanKernel;
using kiln::test::part;

namespace {

constexpr std::size_t sizes[] = {0, 1, 2, 31, 32, 33, 255, 256, 257, 7935, 7936, 7937, 50000, 300001};

template <class T>
std::vector<T> counted(std::size_t n) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<T>(i * 7 % 101);
  return values;
}

}  // namespace

TEST_CASE("scan: inclusive and exclusive sums of all sizes around those of tiles, in place and not") {
  const InclusiveScanKernel<int> inclusive("a + b");
  const ExclusiveScanKernel<int> exclusive("a + b", "0");
  for (const std::size_t n : sizes) {
    CAPTURE(n);
    const auto x = counted<int>(n);
    std::vector<int> sums(n), before(n);
    std::partial_sum(x.begin(), x.end(), sums.begin());
    std::exclusive_scan(x.begin(), x.end(), before.begin(), 0);
    DeviceBuffer<int> d(x), out(n);
    inclusive(d, out);
    CHECK(out.to_host() == sums);
    exclusive(d, out);
    CHECK(out.to_host() == before);
    inclusive(d);
    CHECK(d.to_host() == sums);
  }
}

TEST_CASE("scan: types of one to sixteen bytes and more, and an operation that is not commutative") {
  const auto check = [](auto type) {
    using T = decltype(type);
    const InclusiveScanKernel<T> sum("a + b");
    const auto x = counted<T>(10007);
    std::vector<T> expected(x.size());
    std::partial_sum(x.begin(), x.end(), expected.begin(), [](T a, T b) { return static_cast<T>(a + b); });
    DeviceBuffer<T> d(x);
    sum(d);
    CHECK(d.to_host() == expected);
  };
  check(std::uint8_t{});
  check(std::uint16_t{});
  check(std::uint32_t{});
  check(std::uint64_t{});
  check(double{});
  constexpr std::size_t n = 20000;
  // x -> factor * x + offset: the earlier one is done first.
  const InclusiveScanKernel<Affine> after("Affine{a.factor * b.factor, a.offset * b.factor + b.offset, 0}",
                                          {.preamble = "struct Affine { unsigned factor, offset, unused; };"});
  std::vector<Affine> maps(n);
  for (std::uint32_t i = 0; i < n; ++i) maps[i] = {2 * i + 1, i, 0};
  DeviceBuffer<Affine> d(maps);
  after(d);
  const auto found = d.to_host();
  std::size_t wrong = 0;
  Affine all = maps[0];
  for (std::size_t i = 1; i < n; ++i) {
    all = {all.factor * maps[i].factor, all.offset * maps[i].factor + maps[i].offset, 0};
    wrong += found[i].factor != all.factor || found[i].offset != all.offset;
  }
  CHECK(wrong == 0);
  const ExclusiveScanKernel<Matrix> product("times(a, b)", "{{1, 0, 0, 1}}", {.preamble = R"(
    struct Matrix { unsigned m[4]; };
    __device__ Matrix times(const Matrix& a, const Matrix& b) {
      return {{a.m[0] * b.m[0] + a.m[1] * b.m[2], a.m[0] * b.m[1] + a.m[1] * b.m[3],
               a.m[2] * b.m[0] + a.m[3] * b.m[2], a.m[2] * b.m[1] + a.m[3] * b.m[3]}};
    })"});
  std::vector<Matrix> matrices(n);
  for (std::uint32_t i = 0; i < n; ++i) matrices[i] = {{i, 1, i * i, 3}};
  DeviceBuffer<Matrix> m(matrices);
  product(m);
  const auto products = m.to_host();
  Matrix before = {{1, 0, 0, 1}};
  wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < 4; ++k) wrong += products[i].m[k] != before.m[k];
    const Matrix &a = before, &b = matrices[i];
    before = {{a.m[0] * b.m[0] + a.m[1] * b.m[2], a.m[0] * b.m[1] + a.m[1] * b.m[3], a.m[2] * b.m[0] + a.m[3] * b.m[2],
               a.m[2] * b.m[1] + a.m[3] * b.m[3]}};
  }
  CHECK(wrong == 0);
}

TEST_CASE("scan: a value of another size in the source than in the program is refused") {
  CHECK_THROWS_WITH_AS(InclusiveScanKernel<double>("a + b", {.type = "float"}),
                       doctest::Contains("T has 8 bytes in the program"), kiln::CompileError);
}

TEST_CASE("scan: the largest values that a block has room for") {
  struct Largest {
    int values[46];
  };
  const InclusiveScanKernel<Largest> last("Largest(b)",
                                          {.type = "Largest", .preamble = "struct Largest { int values[46]; };"});
  std::vector<Largest> x(1000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i].values[45] = static_cast<int>(i);
  DeviceBuffer<Largest> d(x);
  last(d);
  CHECK(d.to_host()[999].values[45] == 999);
}

TEST_CASE("scan: parts that begin between words, streams, and many in turn") {
  const InclusiveScanKernel<int> sum("a + b");
  const auto x = counted<int>(9000);
  kiln::Stream stream;
  for (std::size_t at = 0; at < 5; ++at) {
    DeviceBuffer<int> d(x), out(std::vector<int>(9000, -1));
    sum({.stream = stream}, part(d, at, 8000), part(out, 2 * at, 8000));
    stream.synchronize();
    auto expected = std::vector<int>(9000, -1);
    std::partial_sum(x.begin() + static_cast<long>(at), x.begin() + static_cast<long>(at) + 8000,
                     expected.begin() + 2 * static_cast<long>(at));
    CHECK(out.to_host() == expected);
  }
  DeviceBuffer<int> ones(std::vector<int>(20000, 1));
  for (int k = 0; k < 3; ++k) sum(ones);
  CHECK(ones.to_host()[3] == 20);  // of 1, 3, 6, 10
}

TEST_CASE("scan: in a captured graph") {
  const ExclusiveScanKernel<int> before("a + b", "0");
  DeviceBuffer<int> x(std::vector<int>(10000, 1)), out(10000);
  kiln::Stream stream = kiln::Stream::non_blocking();
  const kiln::Graph graph = kiln::capture(stream, [&] { before({.stream = stream}, x, out); });
  for (int k = 1; k < 4; ++k) {
    x.fill(k);
    kiln::synchronize();
    graph.launch(stream);
    stream.synchronize();
    CHECK(out.to_host()[9999] == 9999 * k);
  }
}

TEST_CASE("scan: what makes no sense is refused") {
  const InclusiveScanKernel<int> sum("a + b", {.name = "cumsum"});
  DeviceBuffer<int> x(100), y(99);
  CHECK_THROWS_WITH_AS(sum(x, y), doctest::Contains("99"), kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(sum(x.data()), doctest::Contains("length"), kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(sum(part(x, 0, 50), part(x, 1, 50)), doctest::Contains("overlaps"), kiln::ArgumentError);
  struct Huge {
    char bytes[185];
  };
  CHECK_THROWS_WITH_AS(InclusiveScanKernel<Huge>("a", {.type = "Huge"}), doctest::Contains("184"), kiln::ArgumentError);
  CHECK_THROWS_AS(InclusiveScanKernel<int>(""), kiln::ArgumentError);
  CHECK_THROWS_AS(ExclusiveScanKernel<int>("a + b", " "), kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(InclusiveScanKernel<int>("a + c"), doctest::Contains("scan_expr"), kiln::CompileError);
}

TEST_CASE("scan: what an expression lacks at its end is an error of that expression") {
  CHECK_THROWS_WITH_AS(InclusiveScanKernel<int>("a +"), doctest::Contains("scan: scan_expr(1): error: expected an exp"),
                       kiln::CompileError);
  CHECK_THROWS_WITH_AS(ExclusiveScanKernel<int>("a + b", "0 *"),
                       doctest::Contains("scan: neutral(1): error: expected an exp"), kiln::CompileError);
}

}  // namespace scan_gpu_test
