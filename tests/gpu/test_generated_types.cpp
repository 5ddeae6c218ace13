// The kernel generators over types: against the same done on the host, with parts that begin between words, lengths
// around those of words, warps, blocks and tiles, vectors that overlap, streams, graphs and devices.
#include "gpu_only.hpp"
#include "needs.hpp"
#include "part.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstring>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// The same text for the host and, as a string, for the device.
#define KILN_TEST_ON_BOTH(name, ...) \
  __VA_ARGS__                        \
  constexpr const char* name = #__VA_ARGS__;

namespace generated_types_gpu_test {

// clang-format off
KILN_TEST_ON_BOTH(map_members,
template <class N>
struct Map {
  N factor, offset, last;
};
// The sum of each member.
template <class N>
__device__ Map<N> operator+(const Map<N>& a, const Map<N>& b) {
  return {(N)(a.factor + b.factor), (N)(a.offset + b.offset), (N)(a.last + b.last)};
}
// x -> factor * x + offset, of which the first one is done first.
template <class N>
__device__ Map<N> then(const Map<N>& a, const Map<N>& b) {
  return {(N)(a.factor * b.factor), (N)(a.offset * b.factor + b.offset), b.last};
})
// clang-format on

using kiln::DeviceBuffer;
using kiln::ElementwiseKernel;
using kiln::ExclusiveScanKernel;
using kiln::InclusiveScanKernel;
using kiln::ReductionKernel;
using kiln::Slice;
using kiln::test::part;

namespace {

using Map3 = Map<unsigned char>;
using Map12 = Map<unsigned>;
using Map24 = Map<unsigned long>;
static_assert(sizeof(Map3) == 3 && sizeof(Map12) == 12 && sizeof(Map24) == 24);

template <class T>
constexpr bool is_map = std::is_same_v<T, Map3> || std::is_same_v<T, Map12> || std::is_same_v<T, Map24>;
template <class T>
constexpr bool is_half = std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;

template <class... Types>
struct TypeList {};
using AllTypes = TypeList<signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long,
                          long long, unsigned long long, float, double, __half, __nv_bfloat16, std::complex<float>,
                          std::complex<double>, Map3, Map12, Map24>;
/// Of each size and kind. test_algorithms.cpp has a sum of all types, and more.
using FewTypes = TypeList<signed char, short, long long, __nv_bfloat16, std::complex<float>, Map3, Map12, Map24>;

template <class T, class... Types>
constexpr bool is_among(TypeList<Types...>) {
  return (std::is_same_v<T, Types> || ...);
}

void run_side_by_side(const std::vector<std::function<void()>>& jobs) {
  std::vector<std::future<void>> running;
  for (const auto& job : jobs) running.push_back(std::async(std::launch::async, job));
  for (std::future<void>& one : running) one.get();
}

/// The kernels are made side by side, as it is their compiles that take the time. Where few types are enough, those of
/// FewTypes are: not by a list of their own, as each instance of `check` takes its time to build.
template <class Make, class Check, class... Types>
void for_each_type(TypeList<Types...>, Make make, Check check, bool few_are_enough = false) {
  std::vector<std::function<void()>> makes, checks;
  const auto add = [&](auto zero) {
    using T = decltype(zero);
    if (few_are_enough && !is_among<T>(FewTypes{})) return;
    const auto kernel = std::make_shared<std::optional<decltype(make(zero))>>();
    makes.push_back([=] { kernel->emplace(make(zero)); });
    checks.push_back([=] {
      CAPTURE(kiln::type_name<T>());
      check(zero, **kernel);
    });
  };
  (add(Types{}), ...);
  run_side_by_side(makes);
  for (const auto& one : checks) one();
}
template <class Make, class Check>
void for_types(Make make, Check check) {
  for_each_type(AllTypes{}, make, check, kiln::test::on_emulator());
}

/// Whose sums all types have exactly, in any order; halves are mostly 0, as bfloat16 has whole numbers up to 256 alone.
template <class T>
T number(std::size_t i) {
  if constexpr (is_map<T>) {
    using N = decltype(T::factor);
    return {static_cast<N>(2 * i + 1), static_cast<N>(i % 13), static_cast<N>(i)};
  } else if constexpr (is_half<T>) {
    return static_cast<T>(i % 250 == 3 ? 1.0F : 0.0F);
  } else {
    return static_cast<T>(static_cast<float>((i * 7 + 3) % 11));
  }
}
template <class T>
std::vector<T> numbers(std::size_t n) {
  std::vector<T> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = number<T>(i);
  return all;
}
template <class T>
T sum_of(T a, T b) {
  if constexpr (is_half<T>)
    return static_cast<T>(static_cast<float>(a) + static_cast<float>(b));
  else
    return static_cast<T>(a + b);
}
/// What the scans do: of maps not commutative.
template <class T>
T next_of(T a, T b) {
  if constexpr (is_map<T>)
    return then(a, b);
  else
    return sum_of(a, b);
}

template <class T>
bool is_same(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}
/// How many elements differ; more than all where there are not as many.
template <class T>
std::size_t differences(const std::vector<T>& found, const std::vector<T>& expected) {
  if (found.size() != expected.size()) return found.size() + expected.size();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i) wrong += !is_same(found[i], expected[i]);
  return wrong;
}

template <class T>
std::string preamble_of() {
  return is_map<T> ? "namespace generated_types_gpu_test {\n" + std::string(map_members) + "\n}" : "";
}
constexpr auto make_twice = [](auto zero) {
  using T = decltype(zero);
  const std::string type = kiln::type_name<T>();
  return ElementwiseKernel("const " + type + "* x, " + type + "* y", "y[i] = x[i] + x[i]",
                           {.name = "twice", .preamble = preamble_of<T>()});
};
constexpr auto make_sum = [](auto zero) {
  using T = decltype(zero);
  return ReductionKernel<T>(
      {.neutral = is_map<T> ? "{0, 0, 0}" : "0", .reduce_expr = "a + b", .name = "sum", .preamble = preamble_of<T>()});
};
template <class T>
const char* scan_expression() {
  return is_map<T> ? "then(a, b)" : "a + b";
}
constexpr auto make_inclusive = [](auto zero) {
  using T = decltype(zero);
  return InclusiveScanKernel<T>(scan_expression<T>(), {.name = "inclusive", .preamble = preamble_of<T>()});
};
constexpr auto make_exclusive = [](auto zero) {
  using T = decltype(zero);
  return ExclusiveScanKernel<T>(scan_expression<T>(), is_map<T> ? "{1, 0, 0}" : "0",
                                {.name = "exclusive", .preamble = preamble_of<T>()});
};

template <class T>
std::vector<T> doubled(const std::vector<T>& x) {
  std::vector<T> y;
  for (const T& value : x) y.push_back(sum_of(value, value));
  return y;
}
template <class T>
T total(const std::vector<T>& x, std::size_t begin, std::size_t count) {
  T result = {};
  for (std::size_t i = begin; i < begin + count; ++i) result = sum_of(result, x[i]);
  return result;
}
template <class T>
std::vector<T> scanned(const std::vector<T>& x, std::size_t begin, std::size_t count) {
  std::vector<T> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(i == 0 ? x[begin] : next_of(result.back(), x[begin + i]));
  return result;
}
template <class T>
std::vector<T> scanned_before(const std::vector<T>& x, std::size_t count) {
  T before = {};
  if constexpr (is_map<T>) before.factor = 1;
  std::vector<T> result;
  for (std::size_t i = 0; i < count; ++i) {
    result.push_back(before);
    before = next_of(before, x[i]);
  }
  return result;
}

/// Where x and y of a call begin in their buffers.
constexpr std::pair<std::size_t, std::size_t> beginnings[] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {3, 2}};

}  // namespace

TEST_CASE("generated types: elementwise, of parts that begin anywhere, and in place") {
  for_types(make_twice, [](auto zero, const auto& twice) {
    using T = decltype(zero);
    // A thread has up to 16 elements, a block 256 threads.
    for (const std::size_t n : {0U, 1U, 31U, 32U, 33U, 4095U, 4096U, 4097U}) {
      CAPTURE(n);
      const std::vector<T> x = numbers<T>(n + 5), expected = doubled(x);
      for (const auto& [from, to] : beginnings) {
        const DeviceBuffer<T> dx(x), dy(x);
        twice(part(dx, from, n), part(dy, to, n));
        std::vector<T> y = x;
        for (std::size_t i = 0; i < n; ++i) y[to + i] = expected[from + i];
        CHECK(differences(dy.to_host(), y) == 0);
        CHECK(differences(dx.to_host(), x) == 0);
      }
      const DeviceBuffer<T> same(x);
      twice(same, same);
      CHECK(differences(same.to_host(), expected) == 0);
    }
  });
}

TEST_CASE("generated types: elementwise vectors that have one element in common, or lie side by side" *
          kiln::test::races_on_purpose()) {
  for_each_type(TypeList<signed char, float, Map3, Map24>{}, make_twice, [](auto zero, const auto& twice) {
    using T = decltype(zero);
    constexpr std::size_t n = 512;  // a whole number of words
    const std::vector<T> x = numbers<T>(2 * n), expected = doubled(x);
    const DeviceBuffer<T> beside(x), above(x), below(x);
    twice(part(beside, 0, n), part(beside, n, n));
    twice(part(above, 0, n), part(above, n - 1, n));
    twice(part(below, n - 1, n), part(below, 0, n));
    std::vector<T> y = x;
    std::copy(expected.begin(), expected.begin() + n, y.begin() + n);
    CHECK(differences(beside.to_host(), y) == 0);
    // Who comes first to the element of both is not said: it is read before it is written, or behind.
    const auto check = [&](std::vector<T> found, std::size_t at, T written) {
      CHECK((is_same(found[at], expected[n - 1]) || is_same(found[at], sum_of(written, written))));
      found[at] = y[at];
      CHECK(differences(found, y) == 0);
    };
    y = x;
    std::copy(expected.begin(), expected.begin() + n, y.begin() + n - 1);
    check(above.to_host(), 2 * n - 2, expected[0]);
    y = x;
    std::copy(expected.begin() + n - 1, expected.begin() + 2 * n - 1, y.begin());
    check(below.to_host(), 0, expected[2 * n - 2]);
  });
}

TEST_CASE("generated types: slices as Python takes them, with negative steps") {
  // Of so many elements, the indices of [start:stop:step].
  const auto indices = [](long n, const Slice& slice) {
    std::vector<bool> is_in(static_cast<std::size_t>(n));
    const long step = *slice.step;
    const bool is_down = step < 0;
    const auto clipped = [&](long at) {
      if (at < 0) at += n;
      return std::min(std::max(at, is_down ? -1L : 0L), is_down ? n - 1 : n);
    };
    const long start = slice.start ? clipped(*slice.start) : is_down ? n - 1 : 0;
    const long stop = slice.stop ? clipped(*slice.stop) : is_down ? -1 : n;
    for (long i = start; is_down ? i > stop : i < stop; i += step) is_in[static_cast<std::size_t>(i)] = true;
    return is_in;
  };
  for_each_type(TypeList<signed char, Map3, double>{}, make_twice, [&](auto zero, const auto& twice) {
    using T = decltype(zero);
    constexpr std::size_t n = 1001;
    const std::vector<T> x = numbers<T>(n + 2), expected = doubled(x);
    const std::optional<std::ptrdiff_t> none, places[] = {none, -2, 5, 900, -990, -2000, 2000};
    for (const long step : {-1L, -2L, -7L, -256L, -1001L, 3L}) {
      for (std::size_t k = 0; k < 49; ++k) {
        const Slice slice = {places[k / 7], places[k % 7], step};
        CAPTURE(step);
        CAPTURE(slice.start.value_or(12345));
        CAPTURE(slice.stop.value_or(12345));
        const DeviceBuffer<T> dx(x), dy(x);
        twice({.slice = slice}, part(dx, 1, n), part(dy, 2, n));
        std::vector<T> y = x;
        const std::vector<bool> is_in = indices(n, slice);
        for (std::size_t i = 0; i < n; ++i)
          if (is_in[i]) y[2 + i] = expected[1 + i];
        CHECK(differences(dy.to_host(), y) == 0);
      }
    }
  });
}

TEST_CASE("generated types: reductions, of parts that begin anywhere") {
  for_types(make_sum, [](auto zero, const auto& sum) {
    using T = decltype(zero);
    // A thread has up to 16 elements at once; there is another block from 2 * 256 * 16 on.
    for (const std::size_t n : {0U, 1U, 31U, 32U, 33U, 255U, 4096U, 4097U, 16383U, 16384U, 30001U}) {
      CAPTURE(n);
      const std::vector<T> x = numbers<T>(n + 3);
      const DeviceBuffer<T> d(x);
      for (const std::size_t at : {0U, 1U, 3U}) CHECK(is_same(sum(part(d, at, n)).get(), total(x, at, n)));
    }
  });
}

TEST_CASE("generated types: inclusive scans of lengths around those of tiles, and of parts that begin anywhere") {
  for_types(make_inclusive, [](auto zero, const auto& inclusive) {
    using T = decltype(zero);
    const std::size_t tile = 256 * (124 / sizeof(T) | 1U);
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{31}, std::size_t{32}, std::size_t{33},
                                tile - 1, tile, tile + 1, 2 * tile + 33}) {
      CAPTURE(n);
      const std::vector<T> x = numbers<T>(n + 5);
      for (const auto& [from, to] : beginnings) {
        if (n + 1 >= tile && from != to) continue;
        const DeviceBuffer<T> dx(x), dy(x);
        inclusive(part(dx, from, n), part(dy, to, n));
        inclusive(part(dx, from, n));
        const std::vector<T> sums = scanned(x, from, n);
        std::vector<T> y = x, in_place = x;
        std::copy(sums.begin(), sums.end(), y.begin() + static_cast<std::ptrdiff_t>(to));
        std::copy(sums.begin(), sums.end(), in_place.begin() + static_cast<std::ptrdiff_t>(from));
        CHECK(differences(dy.to_host(), y) == 0);
        CHECK(differences(dx.to_host(), in_place) == 0);
      }
    }
  });
}

TEST_CASE("generated types: exclusive scans") {
  for_each_type(TypeList<short, __half, std::complex<double>, Map3, Map24>{}, make_exclusive,
                [](auto zero, const auto& exclusive) {
                  using T = decltype(zero);
                  const std::size_t tile = 256 * (124 / sizeof(T) | 1U);
                  for (const std::size_t n : {std::size_t{1}, std::size_t{32}, tile, tile + 1}) {
                    CAPTURE(n);
                    const std::vector<T> x = numbers<T>(n), expected = scanned_before(x, n);
                    const DeviceBuffer<T> d(x);
                    exclusive(d);
                    CHECK(differences(d.to_host(), expected) == 0);
                  }
                });
}

TEST_CASE("generated types: a scan's vectors lie side by side, or are the same, and do not overlap by one element") {
  const InclusiveScanKernel<Map24> inclusive = make_inclusive(Map24{});
  const std::vector<Map24> x = numbers<Map24>(200);
  const DeviceBuffer<Map24> d(x);
  CHECK_THROWS_WITH_AS(inclusive(part(d, 0, 100), part(d, 99, 100)), doctest::Contains("overlaps"),
                       kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(inclusive(part(d, 99, 100), part(d, 0, 100)), doctest::Contains("overlaps"),
                       kiln::ArgumentError);
  CHECK(differences(d.to_host(), x) == 0);
  inclusive(part(d, 0, 100), part(d, 100, 100));
  std::vector<Map24> expected = x;
  const std::vector<Map24> sums = scanned(x, 0, 100);
  std::copy(sums.begin(), sums.end(), expected.begin() + 100);
  CHECK(differences(d.to_host(), expected) == 0);
}

namespace {

/// y = 2 x, z = the scan of y, and the sum of z.
struct Chain {
  ElementwiseKernel twice = make_twice(Map24{});
  InclusiveScanKernel<Map24> inclusive = make_inclusive(Map24{});
  ReductionKernel<Map24> sum = make_sum(Map24{});

  struct Memory {
    explicit Memory(const std::vector<Map24>& values) : x(values), y(values.size()), z(values.size()), sum(1) {}
    DeviceBuffer<Map24> x, y, z, sum;
  };
  void submit(const Memory& memory, CUstream stream) const {
    twice({.stream = stream}, memory.x, memory.y);
    inclusive({.stream = stream}, memory.y, memory.z);
    sum.into(memory.sum.data(), {.stream = stream}, memory.z);
  }
  static void check(const Memory& memory, const std::vector<Map24>& x) {
    const std::vector<Map24> sums = scanned(doubled(x), 0, x.size());
    CHECK(differences(memory.z.to_host(), sums) == 0);
    CHECK(is_same(memory.sum.to_host()[0], total(sums, 0, sums.size())));
  }
};

}  // namespace

TEST_CASE("generated types: one after the other in each of several streams") {
  const Chain chain;
  const kiln::Stream streams[] = {kiln::Stream::non_blocking(), kiln::Stream::non_blocking(), kiln::Stream()};
  const std::vector<Map24> x = numbers<Map24>(9000);
  std::vector<Chain::Memory> memories;
  for (int k = 0; k < 3; ++k) memories.emplace_back(x);
  kiln::synchronize();
  for (int turn = 0; turn < 3; ++turn)
    for (std::size_t k = 0; k < memories.size(); ++k) chain.submit(memories[k], streams[k]);
  for (const kiln::Stream& stream : streams) stream.synchronize();
  for (const Chain::Memory& memory : memories) Chain::check(memory, x);
}

TEST_CASE("generated types: one after the other in a captured graph") {
  const Chain chain;
  std::vector<Map24> x = numbers<Map24>(9000);
  Chain::Memory memory(x);
  const kiln::Stream stream = kiln::Stream::non_blocking();
  chain.submit(memory, stream);
  stream.synchronize();
  const kiln::Graph graph = kiln::capture(stream, [&] { chain.submit(memory, stream); });
  for (int turn = 0; turn < 3; ++turn) {
    x[0].factor += 2;
    memory.x.write(0, x);
    kiln::synchronize();
    graph.launch(stream);
    stream.synchronize();
    Chain::check(memory, x);
  }
}

TEST_CASE("generated types: on the device of the stream, or else the current one" * kiln::test::needs_two_devices()) {
  const Chain chain;
  const std::vector<Map24> x = numbers<Map24>(9000);
  for (int device : {1, 0, 1}) {
    kiln::Device(device).make_current();
    const Chain::Memory memory(x);
    const kiln::Stream stream;
    chain.submit(memory, nullptr);
    Chain::check(memory, x);
    kiln::Device(1 - device).make_current();
    chain.submit(memory, stream);
    stream.synchronize();
    Chain::check(memory, x);
  }
  kiln::Device(0).make_current();
}

}  // namespace generated_types_gpu_test
