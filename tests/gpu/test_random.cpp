// Random numbers, against Philox on the host and against cuRAND's, where its headers are.
#include "part.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace random_gpu_test {

using kiln::DeviceBuffer;
using kiln::test::part;

namespace {

/// As the paper has it, with 64 bits of the counter.
std::array<std::uint32_t, 4> philox(std::uint64_t seed, std::uint64_t block) {
  std::uint32_t c0 = static_cast<std::uint32_t>(block), c1 = static_cast<std::uint32_t>(block >> 32U), c2 = 0, c3 = 0;
  std::uint32_t k0 = static_cast<std::uint32_t>(seed), k1 = static_cast<std::uint32_t>(seed >> 32U);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53} * c0, p1 = std::uint64_t{0xCD9E8D57} * c2;
    const std::uint32_t n0 = static_cast<std::uint32_t>(p1 >> 32U) ^ c1 ^ k0;
    const std::uint32_t n2 = static_cast<std::uint32_t>(p0 >> 32U) ^ c3 ^ k1;
    c1 = static_cast<std::uint32_t>(p1);
    c3 = static_cast<std::uint32_t>(p0);
    c0 = n0;
    c2 = n2;
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return {c0, c1, c2, c3};
}

float uniform_float(std::uint64_t seed, std::uint64_t at) {
  return static_cast<float>(philox(seed, at / 4)[at % 4]) * 0x1p-32f + 0x1p-33f;
}
double uniform_double(std::uint64_t seed, std::uint64_t at) {
  const auto words = philox(seed, at / 2);
  const std::uint64_t bits = words[at % 2 * 2] ^ (std::uint64_t{words[at % 2 * 2 + 1]} << 21U);
  return static_cast<double>(bits) * 0x1p-53 + 0x1p-54;
}

bool has_curand() {
  try {
    (void)kiln::compile("#include <curand_kernel.h>\n");
    return true;
  } catch (const kiln::CompileError& error) {
    const bool is_missing = std::string(error.what()).find("curand_kernel.h") != std::string::npos;
    REQUIRE_MESSAGE(is_missing, error.what());
    MESSAGE("not tested: this machine has no curand_kernel.h");
    return false;
  }
}

constexpr std::uint64_t seeds[] = {0, 1, 0x123456789abcdef0, ~std::uint64_t{0}};

}  // namespace

TEST_CASE("random: numbers depend on the seed and their position alone") {
  for (const std::uint64_t seed : seeds) {
    for (const std::uint64_t offset :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{1} << 40U, std::uint64_t{0} - 2000}) {
      for (const std::size_t n : {0U, 1U, 2U, 3U, 4U, 5U, 31U, 33U, 1025U}) {
        CAPTURE(seed);
        CAPTURE(offset);
        CAPTURE(n);
        DeviceBuffer<float> x(n);
        DeviceBuffer<double> y(n);
        kiln::random::uniform(x, seed, offset);
        kiln::random::uniform(y, seed, offset);
        const auto floats = x.to_host();
        const auto doubles = y.to_host();
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < n; ++i)
          wrong += floats[i] != uniform_float(seed, offset + i) || doubles[i] != uniform_double(seed, offset + i);
        CHECK(wrong == 0);
      }
    }
  }
}

TEST_CASE("random: integers are the bits") {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    constexpr std::size_t of_block = 16 / sizeof(T);
    for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{1} << 40U}) {
      CAPTURE(sizeof(T));
      CAPTURE(offset);
      DeviceBuffer<T> x(101);
      kiln::random::uniform(x, 7, offset);
      const auto numbers = x.to_host();
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto words = philox(7, (offset + i) / of_block);
        std::array<T, of_block> values;
        std::memcpy(values.data(), words.data(), 16);
        wrong += numbers[i] != values[(offset + i) % of_block];
      }
      CHECK(wrong == 0);
    }
  };
  check(static_cast<unsigned char>(0));
  check(static_cast<short>(0));
  check(0U);
  check(0);
  check(0L);
  check(0ULL);
}

TEST_CASE("random: parts that begin anywhere, and nothing is written outside of them") {
  for (std::size_t at = 0; at < 5; ++at) {
    for (std::uint64_t offset = 0; offset < 5; ++offset) {
      const DeviceBuffer<float> all(std::vector<float>(64, -1));
      kiln::random::uniform(part(all, at, 40), 7, offset);
      std::vector<float> expected(64, -1);
      for (std::size_t i = 0; i < 40; ++i) expected[at + i] = uniform_float(7, offset + i);
      CHECK(all.to_host() == expected);
    }
  }
}

TEST_CASE("random: normal numbers have the distribution's moments") {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    constexpr std::size_t n = 100000;
    DeviceBuffer<T> x(n);
    kiln::random::normal(x, 42, 1);
    double sum = 0, squares = 0, cubes = 0, fourth = 0;
    for (const T value : x.to_host()) {
      const auto v = static_cast<double>(value);
      sum += v;
      squares += v * v;
      cubes += v * v * v;
      fourth += v * v * v * v;
    }
    // Five deviations of each estimate.
    CHECK(std::abs(sum / n) < 5 * std::sqrt(1.0 / n));
    CHECK(std::abs(squares / n - 1) < 5 * std::sqrt(2.0 / n));
    CHECK(std::abs(cubes / n) < 5 * std::sqrt(15.0 / n));
    CHECK(std::abs(fourth / n - 3) < 5 * std::sqrt(96.0 / n));
  };
  check(float{});
  check(double{});
}

TEST_CASE("random: log-normal numbers are the exponential function of normal ones") {
  const auto check = [](auto zero, double tolerance) {
    using T = decltype(zero);
    DeviceBuffer<T> x(1001), y(1001);
    kiln::random::normal(x, 42, 3);
    kiln::random::log_normal(y, T(-0.5), T(0.25), 42, 3);
    const auto normal = x.to_host(), found = y.to_host();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double expected = std::exp(-0.5 + 0.25 * static_cast<double>(normal[i]));
      wrong += !(std::abs(static_cast<double>(found[i]) / expected - 1) < tolerance);
    }
    CHECK(wrong == 0);
  };
  check(float{}, 1e-6);
  check(double{}, 1e-14);
}

namespace {

/// Of the numbers against the distribution, in classes of at least 10 expected ones: how far chi-squared is above its
/// mean, in its deviations.
double misfit(const std::vector<unsigned>& numbers, double mean) {
  const double reach = 12 * std::sqrt(mean) + 30;
  const auto first = static_cast<unsigned>(std::max(0.0, std::floor(mean - reach)));
  const auto last = static_cast<unsigned>(mean + reach);
  std::vector<std::size_t> found(last - first + 1);
  for (const unsigned number : numbers) ++found.at(number - first);
  const auto n = static_cast<double>(numbers.size());
  double squares = 0, expected = 0, seen = 0, rest = n;
  int classes = 0;
  for (unsigned k = first; k <= last; ++k) {
    const double here = n * std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0));
    expected += here;
    seen += static_cast<double>(found[k - first]);
    rest -= here;
    if ((expected < 10 || rest < 10) && k < last) continue;
    squares += (seen - expected) * (seen - expected) / expected;
    expected = seen = 0;
    ++classes;
  }
  return (squares - (classes - 1)) / std::sqrt(2.0 * std::max(1, classes - 1));
}

}  // namespace

TEST_CASE("random: Poisson numbers have the distribution") {
  constexpr std::size_t n = 50000;
  // Below and above where the method changes; with few, some and many values.
  for (const double mean : {0.03, 1.0, 9.99, 10.0, 25.0, 1000.0}) {
    CAPTURE(mean);
    DeviceBuffer<unsigned> x(n);
    kiln::random::poisson(x, mean, 2026);
    CHECK(misfit(x.to_host(), mean) < 4);
  }
  // The largest: a number is a deviation of 2^15 from the mean.
  DeviceBuffer<int> x(n);
  kiln::random::poisson(x, 0x1p30, 2026);
  double sum = 0, squares = 0;
  std::size_t below = 0;
  for (const int value : x.to_host()) {
    const double v = (value - 0x1p30) / 0x1p15;
    sum += v;
    squares += v * v;
    below += v < -1;
  }
  CHECK(std::abs(sum / n) < 5 * std::sqrt(1.0 / n));
  CHECK(std::abs(squares / n - 1) < 5 * std::sqrt(2.0 / n));
  CHECK(std::abs(static_cast<double>(below) / n - 0.158655) < 5 * std::sqrt(0.1335 / n));
}

TEST_CASE("random: Poisson numbers depend on the seed and their position alone, whatever their type") {
  for (const double mean : {3.0, 40.0}) {
    DeviceBuffer<unsigned> x(200), other(200);
    kiln::random::poisson(x, mean, 5, (1ULL << 40U) - 100);
    const auto numbers = x.to_host();
    kiln::random::poisson(other, mean, 6, (1ULL << 40U) - 100);
    CHECK(other.to_host() != numbers);
    const DeviceBuffer<double> all(std::vector<double>(64, -1));
    kiln::random::poisson(part(all, 1, 60), mean, 5, (1ULL << 40U) - 30);
    std::vector<double> expected(64, -1);
    for (std::size_t i = 0; i < 60; ++i) expected[i + 1] = numbers[i + 70];
    CHECK(all.to_host() == expected);
    DeviceBuffer<unsigned long long> wide(200);
    kiln::random::poisson(wide, mean, 5, (1ULL << 40U) - 100);
    CHECK(wide.to_host() == std::vector<unsigned long long>(numbers.begin(), numbers.end()));
  }
  DeviceBuffer<float> none(100);
  kiln::random::poisson(none, 0, 1);
  CHECK(none.to_host() == std::vector<float>(100, 0));
}

TEST_CASE("random: the numbers of cuRAND's device API") {
  const std::string source = R"(
#include <curand_kernel.h>
extern "C" __global__ void numbers(unsigned long long seed, unsigned long long offset, float* uniform, double* wide,
                                   float* normal, double* wide_normal, int n) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, 0, offset, &state);
  for (int i = 0; i < n; ++i) uniform[i] = curand_uniform(&state);
  curand_init(seed, 0, 2 * offset, &state);
  for (int i = 0; i < n; i += 2) {
    const double2 two = curand_uniform2_double(&state);
    wide[i] = two.x;
    wide[i + 1] = two.y;
  }
  curand_init(seed, 0, offset, &state);
  for (int i = 0; i < n; ++i) normal[i] = curand_normal(&state);
  curand_init(seed, 0, 2 * offset, &state);
  for (int i = 0; i < n; ++i) wide_normal[i] = curand_normal_double(&state);
})";
  if (!has_curand()) return;
  kiln::SourceModule module(source);
  constexpr std::size_t n = 100;
  for (const std::uint64_t seed : seeds) {
    // Normal numbers of cuRAND begin a pair at any offset: an even one is compared.
    for (const std::uint64_t offset : {0U, 4U, 1000U}) {
      DeviceBuffer<float> uniform(n), normal(n), x(n);
      DeviceBuffer<double> wide(n), wide_normal(n), y(n);
      module.get_function("numbers")({1, 1}, static_cast<unsigned long long>(seed),
                                     static_cast<unsigned long long>(offset), uniform, wide, normal, wide_normal,
                                     static_cast<int>(n));
      kiln::random::uniform(x, seed, offset);
      CHECK(x.to_host() == uniform.to_host());
      kiln::random::uniform(y, seed, offset);
      CHECK(y.to_host() == wide.to_host());
      kiln::random::normal(x, seed, offset);
      kiln::random::normal(y, seed, offset);
      const auto ours = x.to_host(), theirs = normal.to_host();
      const auto our_doubles = y.to_host(), their_doubles = wide_normal.to_host();
      for (std::size_t i = 0; i < n; ++i) {
        CHECK(std::abs(ours[i] - theirs[i]) < 1e-4f);
        CHECK(std::abs(our_doubles[i] - their_doubles[i]) < 1e-12);
      }
    }
  }
}

TEST_CASE("random: cuRAND's other generators in an ElementwiseKernel, as the porting page says") {
  if (!has_curand()) return;
  const kiln::ElementwiseKernel sobol("const unsigned* directions, float* y",
                                      "curandStateSobol32 state; curand_init((unsigned*)directions, i, &state); "
                                      "y[i] = curand_uniform(&state)",
                                      {.preamble = "#include <curand_kernel.h>"});
  // The first dimension's; curandGetDirectionVectors32 of cuRAND's host library gives all.
  std::vector<unsigned> words(32);
  for (unsigned k = 0; k < 32; ++k) words[k] = 1U << (31 - k);
  const DeviceBuffer<unsigned> directions(words);
  DeviceBuffer<float> y(8);
  sobol(directions, y);
  const std::vector<float> eighths = {0, 4, 6, 2, 3, 7, 5, 1};
  const auto points = y.to_host();
  for (std::size_t i = 0; i < 8; ++i) CHECK(points[i] == doctest::Approx(eighths[i] / 8));

  for (const std::string type : {"curandStateXORWOW_t", "curandStateMRG32k3a_t"}) {
    CAPTURE(type);
    const kiln::ElementwiseKernel uniform(
        "unsigned long long seed, float* y",
        type + " state; curand_init(seed, i, 0, &state); y[i] = curand_uniform(&state)",
        {.preamble = "#include <curand_kernel.h>"});
    DeviceBuffer<float> x(64);
    uniform(7ULL, x);
    double sum = 0;
    for (const float value : x.to_host()) {
      CHECK((value > 0 && value <= 1));
      sum += static_cast<double>(value);
    }
    CHECK(std::abs(sum / 64 - 0.5) < 5 * std::sqrt(1.0 / 12 / 64));
  }
}

TEST_CASE("random: what makes no sense is refused") {
  DeviceBuffer<float> x(10);
  CHECK_THROWS_WITH_AS(kiln::random::uniform(x.data(), 1), doctest::Contains("length"), kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(kiln::random::uniform(x, 1, ~0ULL - 3), doctest::Contains("2^64"), kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(kiln::random::poisson(x, 3, 1, ~0ULL - 3), doctest::Contains("2^64"), kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(kiln::random::poisson(x.data(), 3, 1), doctest::Contains("length"), kiln::ArgumentError);
  for (const double mean : {-1.0, 0x1p31, std::nan("")})
    CHECK_THROWS_WITH_AS(kiln::random::poisson(x, mean, 1), doctest::Contains("0 to 2^30"), kiln::ArgumentError);
}

}  // namespace random_gpu_test
