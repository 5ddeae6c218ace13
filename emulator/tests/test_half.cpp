// The small formats against their definition: a value's neighbours, found by search, and which of them is nearer.
#include "emulator/numbers/exact.hpp"
#include "emulator/numbers/half.hpp"
#include "float_samples.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace kiln::emulator::half_test {
namespace {

/// A format's value by its definition.
template <class F>
double value_of(std::uint32_t magnitude) {
  const int field = static_cast<int>(magnitude >> F::fraction_bits);
  const double fraction = static_cast<double>(magnitude % F::min_normal) / static_cast<double>(F::min_normal);
  return field == 0 ? std::ldexp(fraction, F::min_exponent) : std::ldexp(1 + fraction, F::min_exponent - 1 + field);
}

/// What rounding gives, from the two neighbours. `above` of the largest is where the format would go on.
template <class F>
std::uint32_t expected(double value, Rounding rounding) {
  const double magnitude = std::fabs(value);
  const bool negative = std::signbit(value);
  // The last pattern whose value is not above.
  std::uint32_t below = 0;
  for (std::uint32_t bit = std::uint32_t{F::sign} / 2; bit != 0; bit /= 2)
    if ((below | bit) <= F::max_finite && value_of<F>(below | bit) <= magnitude) below |= bit;
  const double low = value_of<F>(below), high = value_of<F>(below + 1);
  bool up = false;
  if (magnitude == low) {
    up = false;
  } else if (rounding == Rounding::nearest || rounding == Rounding::nearest_away) {
    // Beyond the next pattern after the largest it is nearer to infinity still.
    const double rest = magnitude - low, gap = high - magnitude;
    up = rest > gap || (rest == gap && (rounding == Rounding::nearest_away || below % 2 == 1));
  } else {
    up = (rounding == Rounding::up && !negative) || (rounding == Rounding::down && negative);
  }
  return (below + (up ? 1 : 0)) | (negative ? std::uint32_t{F::sign} : 0u);
}

constexpr Rounding all_roundings[] = {Rounding::nearest, Rounding::zero, Rounding::down, Rounding::up,
                                      Rounding::nearest_away};

/// Every value, every midpoint, both with the f64 next to them, and random ones.
template <class F>
std::vector<double> interesting() {
  std::vector<double> values;
  const std::uint32_t step = F::max_finite > 10000 ? F::max_finite / 3001 : 1;
  for (std::uint32_t magnitude = 0; magnitude <= F::max_finite; magnitude += step) {
    const double low = value_of<F>(magnitude), high = value_of<F>(magnitude + 1);
    for (const double each : {low, low / 2 + high / 2})
      for (const double near : {each, std::nextafter(each, 0.0), std::nextafter(each, HUGE_VAL)}) {
        values.push_back(near);
        values.push_back(-near);
      }
  }
  std::mt19937_64 random(11);
  for (int i = 0; i < 20000; ++i)
    values.push_back(
        std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), static_cast<int>(random() % 300) - 220));
  for (const double huge : {1e300, -1e300}) values.push_back(huge);
  return values;
}

template <class F>
void check_rounding() {
  for (const Rounding rounding : all_roundings)
    for (const double value : interesting<F>()) {
      const auto got = rounded<F>(exact_of<F64>(std::bit_cast<std::uint64_t>(value)), rounding);
      if (got != expected<F>(value, rounding)) {
        CAPTURE(value);
        CAPTURE(static_cast<int>(rounding));
        REQUIRE(got == expected<F>(value, rounding));
      }
    }
}

}  // namespace

TEST_CASE("every f16 and bf16 widens to its value") {
  for (std::uint32_t bits = 0; bits < 0x8000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    if (bits < F16::infinity) {
      REQUIRE(float_of_half(half) == value_of<F16>(bits));
      REQUIRE(float_of_half(static_cast<std::uint16_t>(half | 0x8000u)) == -value_of<F16>(bits));
      REQUIRE(half_of_float(float_of_half(half)) == half);
    }
    if (bits < Bf16::infinity) {
      REQUIRE(float_of_bfloat(half) == value_of<Bf16>(bits));
      REQUIRE(bfloat_of_float(float_of_bfloat(half)) == half);
    }
  }
  CHECK(std::isinf(float_of_half(0x7C00)));
  CHECK(float_of_half(0xFC00) == -HUGE_VALF);
  CHECK(std::isnan(float_of_half(0x7C01)));
  CHECK(std::isnan(float_of_half(0xFFFF)));
  CHECK(std::signbit(float_of_half(0x8000)));
}

TEST_CASE("narrowing to f16 and bf16 takes the right neighbour in every direction") {
  check_rounding<F16>();
  check_rounding<Bf16>();
}

TEST_CASE("narrowing to tf32, e5m2 takes the right neighbour in every direction") {
  check_rounding<Tf32>();
  check_rounding<E5m2>();
}

TEST_CASE("e4m3 has no infinity: saturated, it ends at 448") {
  const auto narrow = [](double value) {
    return rounded<E4m3>(exact_of<F64>(std::bit_cast<std::uint64_t>(value)), Rounding::nearest, true);
  };
  for (const double value : interesting<E4m3>())
    if (std::fabs(value) < 448) REQUIRE(narrow(value) == expected<E4m3>(value, Rounding::nearest));
  CHECK(narrow(448) == 0x7E);
  CHECK(narrow(460) == 0x7E);
  CHECK(narrow(470) == 0x7E);
  CHECK(narrow(-1e30) == 0xFE);
  CHECK(narrow(HUGE_VAL) == 0x7E);
  CHECK(narrow(NAN) == 0x7F);
  for (unsigned bits = 0; bits < 0x7F; ++bits)
    REQUIRE(rounded<F64>(exact_of<E4m3>(static_cast<std::uint8_t>(bits)), Rounding::nearest) ==
            std::bit_cast<std::uint64_t>(value_of<E4m3>(bits)));
}

TEST_CASE("the quick narrowing from f32 agrees with the exact one") {
  std::mt19937_64 random(5);
  std::vector<std::uint32_t> values = float_edges<F32>();
  for (int i = 0; i < 200000; ++i) {
    auto bits = static_cast<std::uint32_t>(random());
    // Half of them in the range of an f16, and of these some halfway.
    if (i % 2 == 0) bits = (bits & 0x807FFFFFu) | (95u + bits % 50u) << 23;
    if (i % 6 == 0) bits &= ~0xFFFu;
    values.push_back(bits);
  }
  for (const std::uint32_t bits : values) {
    const float value = std::bit_cast<float>(bits);
    const Exact exact = exact_of<F32>(bits);
    CAPTURE(bits);
    REQUIRE(half_of_float(value) == rounded<F16>(exact, Rounding::nearest));
    REQUIRE(bfloat_of_float(value) == rounded<Bf16>(exact, Rounding::nearest));
    if (is_nan<F32>(bits)) REQUIRE(half_of_float(value) == 0x7FFF);
  }
}

}  // namespace kiln::emulator::half_test
