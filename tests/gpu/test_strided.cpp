// Vectors of an ElementwiseKernel whose elements do not lie one behind the other.
#include "mdspan_like.hpp"

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace strided_gpu_test {

namespace {

using kiln::ArgumentError;
using kiln::DeviceBuffer;
using kiln::ElementwiseKernel;
using kiln::Slice;

template <class Indices>
struct AnyExtents;
template <std::size_t... dimension>
struct AnyExtents<std::index_sequence<dimension...>> {
  using type = mdspan_like::extents<long, ((void)dimension, mdspan_like::any)...>;
};

template <class T, std::size_t rank>
auto view(T* address, const long (&extents)[rank], const long (&strides)[rank], long begin = 0) {
  using Extents = typename AnyExtents<std::make_index_sequence<rank>>::type;
  return mdspan_like::mdspan<T, Extents, mdspan_like::layout_stride>(
      address, {{std::to_array(extents)}, std::to_array(strides), begin});
}

template <class T>
std::vector<T> counted(std::size_t n) {
  std::vector<T> numbers(n);
  for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<T>(i + 1);
  return numbers;
}

/// Where the elements of a view are, in C order.
template <std::size_t rank>
std::vector<std::size_t> places(const long (&extents)[rank], const long (&strides)[rank], long begin = 0) {
  std::vector<std::size_t> result;
  const long n = std::accumulate(extents, extents + rank, 1L, std::multiplies<>());
  for (long i = 0; i < n; ++i) {
    long rest = i, place = begin;
    for (std::size_t d = rank; d-- > 0; rest /= extents[d]) place += rest % extents[d] * strides[d];
    result.push_back(static_cast<std::size_t>(place));
  }
  return result;
}

const ElementwiseKernel& twice_and_index() {
  static const ElementwiseKernel kernel("const int* x, int* y", "y[i] = 1000 * x[i] + i", {.name = "twice"});
  return kernel;
}

/// Between two views of one shape, against the same on the host; what lies between the elements must stay.
template <std::size_t rank>
void check_copy(const long (&extents)[rank], const long (&from)[rank], const long (&to)[rank], long from_begin = 0,
                long to_begin = 0) {
  constexpr std::size_t size = 4000;
  const std::vector<int> before = counted<int>(size);
  DeviceBuffer<int> x(before), y(before);
  twice_and_index()(view(x.data(), extents, from, from_begin), view(y.data(), extents, to, to_begin));
  std::vector<int> expected = before;
  const auto source = places(extents, from, from_begin), target = places(extents, to, to_begin);
  for (std::size_t i = 0; i < source.size(); ++i) expected[target[i]] = 1000 * before[source[i]] + static_cast<int>(i);
  CHECK(y.to_host() == expected);
}

template <class Call>
std::string refusal_of(const Call& call) {
  try {
    call();
  } catch (const ArgumentError& error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("strided: views of one to three dimensions, in any order of theirs, and forwards or backwards") {
  check_copy<1>({700}, {3}, {1});
  check_copy<1>({700}, {-2}, {5}, 1398, 3);
  check_copy<2>({20, 30}, {1, 20}, {30, 1});
  check_copy<2>({20, 30}, {100, 2}, {1, 40}, 0, 7);
  check_copy<2>({20, 30}, {-40, 1}, {40, -1}, 760, 29);
  check_copy<2>({1, 30}, {999, 2}, {0, 1});
  check_copy<3>({5, 6, 7}, {42, 7, 1}, {1, 5, 30});
  check_copy<3>({5, 6, 7}, {200, 20, 2}, {42, 7, 1});
  check_copy<3>({5, 0, 7}, {200, 20, 2}, {1, 1, 1});
}

TEST_CASE("strided: views beside vectors without dimensions, of several types") {
  const ElementwiseKernel mix("double a, const short* x, const double* y, double* z", "z[i] = a * x[i] + y[i]");
  const long extents[] = {10, 9}, strides[] = {1, 11};
  DeviceBuffer<short> x(counted<short>(100));
  DeviceBuffer<double> y(counted<double>(90)), z(90);
  mix(2.0, view(x.data(), extents, strides), y, z);
  const auto where = places(extents, strides);
  std::vector<double> expected(90);
  for (std::size_t i = 0; i < 90; ++i)
    expected[i] = 2.0 * static_cast<double>(where[i] + 1) + static_cast<double>(i + 1);
  CHECK(z.to_host() == expected);
  // In the same places, in an order of no matter; and with the types stated.
  z.fill(0);
  const auto typed = mix.typed<void(double, const short*, const double*, double*)>();
  DeviceBuffer<short> many(counted<short>(200));
  typed(1, view(many.data(), extents, {9, 1}), view(y.data(), extents, {9, 1}), std::span<double>(z.data(), 90));
  for (std::size_t i = 0; i < 90; ++i) expected[i] = 2 * static_cast<double>(i + 1);
  CHECK(z.to_host() == expected);
}

TEST_CASE("strided: column-major matrices alone go through memory in its own order") {
  const ElementwiseKernel add("const int* x, const int* y, int* z", "z[i] = x[i] + 2 * y[i]");
  DeviceBuffer<int> x(counted<int>(600)), y(counted<int>(600)), z(600);
  const auto left = [](DeviceBuffer<int>& buffer) {
    return mdspan_like::left_matrix<int>(buffer.data(), {{{{20, 30}}}});
  };
  add(left(x), left(y), left(z));
  std::vector<int> expected(600);
  for (std::size_t i = 0; i < 600; ++i) expected[i] = 3 * static_cast<int>(i + 1);
  CHECK(z.to_host() == expected);
  // One of them otherwise: by their indices.
  add(left(x), view(y.data(), {20, 30}, {30, 1}), left(z));
  for (std::size_t row = 0; row < 20; ++row)
    for (std::size_t column = 0; column < 30; ++column)
      expected[column * 20 + row] = static_cast<int>(column * 20 + row + 1 + 2 * (row * 30 + column + 1));
  CHECK(z.to_host() == expected);
}

TEST_CASE("strided: ranges and slices are of elements in C order") {
  DeviceBuffer<int> x(counted<int>(24)), y(std::vector<int>(6, -1));
  const auto columns = view(x.data(), {2, 3}, {12, 4});  // 1, 5, 9, 13, 17, 21
  const ElementwiseKernel copy("const int* x, int* y", "y[i] = x[i]");
  copy({.slice = Slice{.start = -2}}, columns, y);
  CHECK(y.to_host() == std::vector<int>{-1, -1, -1, -1, 17, 21});
  copy({.slice = Slice{.step = -2}}, columns, y);
  CHECK(y.to_host() == std::vector<int>{-1, 5, -1, 13, 17, 21});
  copy({.range = Slice{.start = 0, .stop = 3, .step = 2}}, columns, y);
  CHECK(y.to_host() == std::vector<int>{1, 5, 9, 13, 17, 21});
  CHECK_THROWS_AS(copy({.range = Slice{.start = 0, .stop = 7}}, columns, y), ArgumentError);
}

TEST_CASE("strided: an element that a macro of the preamble asks for is found in C order, too") {
  const ElementwiseKernel differences("const int* x, int* y", "y[i] = i + 1 < n ? NEXT - x[i] : 0",
                                      {.preamble = "#define NEXT x[i + 1]"});
  DeviceBuffer<int> x(counted<int>(24)), y(6);
  differences(view(x.data(), {2, 3}, {12, 4}), y);
  CHECK(y.to_host() == std::vector<int>{4, 4, 4, 4, 4, 0});
}

TEST_CASE("strided: views that cannot be") {
  const ElementwiseKernel copy("const int* x, int* y", "y[i] = x[i]", {.name = "copy"});
  const ElementwiseKernel take("const int* table, const int* index, int* y", "y[i] = table[index[i]]",
                               {.name = "take"});
  DeviceBuffer<int> x(counted<int>(100)), y(std::vector<int>(100, -1));
  int* const px = x.data();
  int* const py = y.data();
  const auto says = [](const std::string& text, const std::string& part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  says(refusal_of([&] {
         copy(view(px, {2, 3}, {3, 1}), view(py, {3, 2}, {2, 1}));
       }),
       "kernel copy: y: expected 2 x 3 elements, strides 3, 1 or others of these extents, as x has, given 3 x 2");
  says(refusal_of([&] { copy(view(px, {2, 3}, {6, 2}), view(py, {6}, {2})); }), "as x has, given 6 elements");
  says(refusal_of([&] { copy(view(px, {2, 3}, {6, 2}), std::span<int>(py, 5)); }), "must have the same length");
  says(refusal_of([&] { copy(x, view(py, {10, 10}, {0, 1})); }), "has each of its elements once");
  says(refusal_of([&] { copy(x, view(py, {10, 10}, {5, 1})); }), "has each of its elements once");
  says(refusal_of([&] { take(view(px, {5}, {2}), y, y); }),
       "kernel take: table: expected elements one behind the other");
  says(refusal_of([&] {
         copy(view(px, {2, 2, 2, 2, 2}, {48, 24, 12, 6, 3}), view(py, {2, 2, 2, 2, 2}, {1, 2, 4, 8, 16}));
       }),
       "5 dimensions that cannot be taken as fewer; the most are 4");
  says(refusal_of([&] { copy(view(reinterpret_cast<char*>(px), {4}, {8}), std::span<int>(py, 4)); }), "one of bytes");
  const kiln::ReductionKernel<int> sum({.neutral = "0", .reduce_expr = "a + b"});
  says(refusal_of([&] { (void)sum(view(px, {4}, {8})); }), "4 elements, strides 8; an ElementwiseKernel takes");
  CHECK(y.to_host() == std::vector<int>(100, -1));
  // The same element may be read often.
  copy(view(px, {10, 10}, {0, 1}), y);
  CHECK(y.to_host()[99] == 10);
}

}  // namespace strided_gpu_test
