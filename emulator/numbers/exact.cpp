#include "emulator/numbers/exact.hpp"

namespace kiln::emulator {
namespace {

using Magnitude = Exact::Magnitude;
using Kind = Exact::Kind;

Exact special_value(Kind kind, bool negative) { return {kind, negative, 0, 0}; }

/// The same value, shifted so that the highest bit of its magnitude is at `position`. Exact: no magnitude is wider.
Exact with_top_at(int position, Exact value) {
  const int shift = value.exponent + position - value.top();
  value.magnitude <<= shift;
  value.exponent -= shift;
  return value;
}

/// Shifts right. The lowest bit is set if any bit was lost.
Magnitude shifted_right(Magnitude magnitude, int by) {
  if (by == 0) return magnitude;
  if (by > 127) return 1;
  const bool lost = (magnitude & ((Magnitude{1} << by) - 1)) != 0;
  return (magnitude >> by) | (lost ? 1u : 0u);
}

Exact finite_sum(Exact a, Exact b, Rounding rounding) {
  // Leaves a bit for the carry. A product's 106 bits leave enough bits below for what alignment shifts out.
  a = with_top_at(124, a);
  b = with_top_at(124, b);
  if (a.exponent < b.exponent) std::swap(a, b);
  b.magnitude = shifted_right(b.magnitude, a.exponent - b.exponent);
  if (a.negative == b.negative) {
    a.magnitude += b.magnitude;
    return a;
  }
  if (a.magnitude == b.magnitude) return special_value(Kind::zero, rounding == Rounding::down);
  const bool b_larger = b.magnitude > a.magnitude;
  a.negative = b_larger ? b.negative : a.negative;
  a.magnitude = b_larger ? b.magnitude - a.magnitude : a.magnitude - b.magnitude;
  return a;
}

}  // namespace

Exact exact_sum(const Exact& a, const Exact& b, Rounding rounding) {
  if (a.kind == Kind::nan || b.kind == Kind::nan) return special_value(Kind::nan, false);
  if (a.kind == Kind::infinite || b.kind == Kind::infinite) {
    if (a.kind == b.kind && a.negative != b.negative) return special_value(Kind::nan, false);
    return a.kind == Kind::infinite ? a : b;
  }
  if (a.kind == Kind::zero && b.kind == Kind::zero)
    return special_value(Kind::zero, a.negative == b.negative ? a.negative : rounding == Rounding::down);
  if (a.kind == Kind::zero) return b;
  if (b.kind == Kind::zero) return a;
  return finite_sum(a, b, rounding);
}

Exact exact_product(const Exact& a, const Exact& b) {
  const bool negative = a.negative != b.negative;
  const auto any = [&](Kind kind) { return a.kind == kind || b.kind == kind; };
  if (any(Kind::nan) || (any(Kind::infinite) && any(Kind::zero))) return special_value(Kind::nan, false);
  if (any(Kind::infinite)) return special_value(Kind::infinite, negative);
  if (any(Kind::zero)) return special_value(Kind::zero, negative);
  return {Kind::finite, negative, a.exponent + b.exponent, a.magnitude * b.magnitude};
}

Exact exact_quotient(const Exact& a, const Exact& b) {
  const bool negative = a.negative != b.negative;
  if (a.kind == Kind::nan || b.kind == Kind::nan || (a.kind == b.kind && a.kind != Kind::finite))
    return special_value(Kind::nan, false);
  if (a.kind == Kind::infinite || b.kind == Kind::zero) return special_value(Kind::infinite, negative);
  if (a.kind == Kind::zero || b.kind == Kind::infinite) return special_value(Kind::zero, negative);
  const Exact dividend = with_top_at(127, a);
  const Magnitude quotient = dividend.magnitude / b.magnitude;
  const bool rest = quotient * b.magnitude != dividend.magnitude;
  return {Kind::finite, negative, dividend.exponent - b.exponent, quotient | (rest ? 1u : 0u)};
}

Exact exact_root(const Exact& a) {
  if (a.kind == Kind::zero || a.kind == Kind::nan) return a;
  if (a.negative) return special_value(Kind::nan, false);
  if (a.kind == Kind::infinite) return a;
  Exact square = with_top_at(127, a);
  if (square.exponent % 2 != 0) {
    square.magnitude >>= 1;  // the lowest bit is 0: a format's significand is not as wide
    ++square.exponent;
  }
  // Bit by bit from the highest: the largest root whose square is not larger.
  Magnitude root = 0, rest = square.magnitude;
  for (int bit = 63; bit >= 0; --bit) {
    const Magnitude step = (root << (bit + 1)) + (Magnitude{1} << (2 * bit));
    if (step > rest) continue;
    rest -= step;
    root |= Magnitude{1} << bit;
  }
  // One bit more than the root, which says whether there is a remainder.
  return {Kind::finite, false, square.exponent / 2 - 1, (root << 1) | (rest != 0 ? 1u : 0u)};
}

std::uint64_t rounded_to_unit(const Exact& value, int unit, Rounding rounding) {
  const int drop = unit - value.exponent;
  if (drop <= 0) return static_cast<std::uint64_t>(value.magnitude << -drop);
  // Shifted by more than 127 bits the value is less than half a unit.
  const Magnitude kept = drop > 127 ? 0 : value.magnitude >> drop;
  const Magnitude rest = drop > 127 ? 1 : value.magnitude & ((Magnitude{1} << drop) - 1);
  const Magnitude half = drop > 127 ? 2 : Magnitude{1} << (drop - 1);
  bool up = false;
  switch (rounding) {
    case Rounding::nearest:
      up = rest > half || (rest == half && (kept & 1) != 0);
      break;
    case Rounding::nearest_away:
      up = rest >= half;
      break;
    case Rounding::zero:
      break;
    case Rounding::down:
      up = rest != 0 && value.negative;
      break;
    case Rounding::up:
      up = rest != 0 && !value.negative;
      break;
  }
  return static_cast<std::uint64_t>(kept) + (up ? 1u : 0u);
}

}  // namespace kiln::emulator
