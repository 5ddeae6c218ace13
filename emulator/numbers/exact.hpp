// Exact numbers, rounded once to any format in any direction. Slower than the processor's own arithmetic, but correct
// by construction: for directed rounding, small formats and wide integers.
#pragma once

#include "emulator/numbers/float_format.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace kiln::emulator {

/// magnitude * 2^exponent. Of a magnitude with more than 64 bits the lowest bit is sticky: it may stand for a value
/// that is slightly larger. A rounding many bits further up needs no more.
struct Exact {
  using Magnitude = unsigned __int128;
  enum class Kind : std::uint8_t { zero, finite, infinite, nan };

  Kind kind = Kind::zero;
  bool negative = false;
  int exponent = 0;
  Magnitude magnitude = 0;  // of finite: never 0

  static Exact of_integer(bool negative, std::uint64_t magnitude) {
    return {magnitude == 0 ? Kind::zero : Kind::finite, negative, 0, magnitude};
  }
  /// The largest e for which 2^e <= the value.
  int top() const {
    const auto high = static_cast<std::uint64_t>(magnitude >> 64);
    return exponent +
           (high != 0 ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll(static_cast<std::uint64_t>(magnitude)));
  }
};

// The sign of a sum that is zero depends on the rounding mode.
Exact exact_sum(const Exact& a, const Exact& b, Rounding rounding);
Exact exact_product(const Exact& a, const Exact& b);
Exact exact_quotient(const Exact& a, const Exact& b);
Exact exact_root(const Exact& a);

/// A finite value in units of 2^unit, rounded to an integer, which must be below 2^64.
std::uint64_t rounded_to_unit(const Exact& value, int unit, Rounding rounding);

template <class F>
Exact exact_of(typename F::Bits bits) {
  Exact value;
  value.negative = is_negative<F>(bits);
  const auto magnitude = magnitude_of<F>(bits);
  if (is_nan<F>(bits)) {
    value.kind = Exact::Kind::nan;
  } else if (is_infinite<F>(bits)) {
    value.kind = Exact::Kind::infinite;
  } else if (magnitude != 0) {
    value.kind = Exact::Kind::finite;
    const auto field = static_cast<int>(magnitude >> F::fraction_bits);
    const std::uint64_t fraction = magnitude & (F::min_normal - 1u);
    value.magnitude = field == 0 ? fraction : fraction | F::min_normal;
    value.exponent = F::min_exponent + std::max(field - 1, 0) - static_cast<int>(F::fraction_bits);
  }
  return value;
}

/// What a value larger than the largest finite one is rounded to, without its sign.
template <class F>
constexpr typename F::Bits overflow(bool negative, Rounding rounding, bool only_finite) {
  const bool towards_zero =
      rounding == Rounding::zero || (rounding == Rounding::down && !negative) || (rounding == Rounding::up && negative);
  return only_finite || towards_zero ? F::max_finite : F::infinity;
}

/// `only_finite` (.satfinite): infinities too become the largest finite value.
template <class F>
typename F::Bits rounded(const Exact& value, Rounding rounding, bool only_finite = false) {
  using Bits = typename F::Bits;
  const Bits sign = value.negative ? F::sign : Bits{0};
  const auto with_sign = [&](std::uint64_t magnitude) { return static_cast<Bits>(magnitude | sign); };
  switch (value.kind) {
    case Exact::Kind::nan:
      return F::nan;
    case Exact::Kind::zero:
      return sign;
    case Exact::Kind::infinite:
      return with_sign(only_finite ? F::max_finite : F::infinity);
    case Exact::Kind::finite:
      break;
  }
  const int top = value.top();
  if (top > F::max_exponent) return with_sign(overflow<F>(value.negative, rounding, only_finite));
  const int scale = std::max(top, F::min_exponent);
  // The leading bit of the significand adds one to the exponent field, and so does a carry out of it.
  const std::uint64_t bits = rounded_to_unit(value, scale - static_cast<int>(F::fraction_bits), rounding) +
                             (static_cast<std::uint64_t>(scale - F::min_exponent) << F::fraction_bits);
  return with_sign(bits > F::max_finite ? overflow<F>(value.negative, rounding, only_finite) : bits);
}

/// Rounded once, to nearest. Every NaN becomes the format's `nan`.
template <class F>
typename F::Bits narrowed(double value) {
  if constexpr (std::is_same_v<F, F32>) {  // the processor rounds so, and vectors of them
    const auto result = static_cast<float>(value);
    return result != result ? F32::nan : std::bit_cast<std::uint32_t>(result);
  }
  return rounded<F>(exact_of<F64>(std::bit_cast<std::uint64_t>(value)), Rounding::nearest);
}

}  // namespace kiln::emulator
