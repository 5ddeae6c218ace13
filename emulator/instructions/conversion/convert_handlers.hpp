// Shared by the handlers of conversions.
#pragma once

#include "emulator/instructions/conversion/conversion.hpp"
#include "emulator/instructions/floating/float_handlers.hpp"
#include "emulator/instructions/floating/float_mode.hpp"
#include "emulator/machine/warp.hpp"

#include <algorithm>
#include <initializer_list>

namespace kiln::emulator {

/// Handler for registers of `size` bytes: Family::handler<unsigned type>.
template <class Family>
Handler by_size(unsigned size) {
  switch (size) {
    case 1:
      return Family::template handler<std::uint8_t>;
    case 2:
      return Family::template handler<std::uint16_t>;
    case 4:
      return Family::template handler<std::uint32_t>;
    default:
      return Family::template handler<std::uint64_t>;
  }
}

/// The low bits, extended to 64 bits by the rules of the type.
inline std::uint64_t extended(std::uint64_t value, IntegerType type) {
  const unsigned unused = 64u - type.bits;
  value <<= unused;
  return type.is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> unused) : value >> unused;
}

inline std::uint64_t largest(IntegerType type) {
  return ~std::uint64_t{0} >> (type.is_signed ? 65 - type.bits : 64 - type.bits);
}

/// The nearest value of the type. Negative values are in two's complement.
inline std::uint64_t saturated(bool negative, std::uint64_t value, IntegerType type) {
  if (!negative) return std::min(value, largest(type));
  return type.is_signed ? std::max(value, ~largest(type)) : 0;
}

constexpr std::int64_t only_finite_bit = 1, to_integral_bit = 2;  // Step::value

/// Rounds to an integer in the given direction.
inline Exact integral(const Exact& value, Rounding rounding) {
  if (value.kind != Exact::Kind::finite || value.top() >= 63) return value;  // such large values have no fraction
  return Exact::of_integer(value.negative, rounded_to_unit(value, 0, rounding));
}

/// From and to f64 a NaN keeps its sign and as much of its payload as fits. Between other formats there is only one
/// NaN.
template <class From, class To>
typename To::Bits converted_nan(typename From::Bits bits) {
  constexpr bool has_infinity = std::is_same_v<To, F16> || std::is_same_v<To, Bf16> || std::is_same_v<To, F32>;
  const std::uint64_t payload = magnitude_of<From>(bits) & (From::min_normal - 1u);
  if constexpr (std::is_same_v<To, F64>) {
    return F64::infinity | F64::quiet | (is_negative<From>(bits) ? F64::sign : 0) |
           payload << (F64::fraction_bits - From::fraction_bits);
  } else if constexpr (std::is_same_v<From, F64> && has_infinity) {
    return static_cast<typename To::Bits>(To::infinity | To::quiet | (is_negative<From>(bits) ? To::sign : 0) |
                                          payload >> (F64::fraction_bits - To::fraction_bits));
  } else {
    return To::nan;
  }
}

/// Rounds to nearest: by the processor or by a fast path of half.hpp, if there is one.
template <class From, class To>
typename To::Bits nearest(typename From::Bits bits) {
  constexpr bool fits_f32 = std::is_same_v<From, F16> || std::is_same_v<From, Bf16> || std::is_same_v<From, F32>;
  constexpr bool has_host = fits_f32 || std::is_same_v<From, F64>;
  if constexpr (has_host && (std::is_same_v<To, F32> || std::is_same_v<To, F64>))
    return std::bit_cast<typename To::Bits>(static_cast<typename To::Host>(widened<From>(bits)));
  else if constexpr (fits_f32 && std::is_same_v<To, F16>)
    return half_of_float(widened<From>(bits));
  else if constexpr (fits_f32 && std::is_same_v<To, Bf16>)
    return bfloat_of_float(widened<From>(bits));
  else
    return rounded<To>(exact_of<From>(bits), Rounding::nearest);
}

template <class From, class To>
typename To::Bits converted(typename From::Bits bits, const FloatMode& mode, std::int64_t flags) {
  if constexpr (std::is_same_v<From, F32>)
    if (mode.ftz) bits = flushed<F32>(bits);
  // ptxas compiles these two to a move, so a NaN is not changed.
  constexpr bool same = std::is_same_v<From, To>;
  typename To::Bits result;
  if (same && (flags & to_integral_bit) == 0 && !mode.sat) {
    result = static_cast<typename To::Bits>(bits);
  } else if (std::is_same_v<From, Bf16> && std::is_same_v<To, F32>) {
    result = static_cast<typename To::Bits>(std::uint32_t{static_cast<std::uint16_t>(bits)} << 16);
  } else if (is_nan<From>(bits)) {
    result = converted_nan<From, To>(bits);
  } else if (mode.rounding == Rounding::nearest && flags == 0) {
    result = nearest<From, To>(bits);
  } else {
    Exact value = exact_of<From>(bits);
    if ((flags & to_integral_bit) != 0) value = integral(value, mode.rounding);
    result = rounded<To>(value, mode.rounding, (flags & only_finite_bit) != 0);
  }
  FloatMode finish = mode;
  finish.ftz = mode.ftz && std::is_same_v<To, F32>;
  return finished<To>(result, finish);
}

/// operand[0] = converted operand[1]. Elements of packed formats are side by side in both.
template <class From, class To>
void convert_float(const Step& step, Warp& warp, LaneMask active) {
  const FloatMode mode = mode_of(step);
  const std::int64_t flags = step.value;
  auto* result = warp.out<typename To::Bits>(step.operand[0]);
  const auto* from = warp.in<typename From::Bits>(step.operand[1]);
  each_element(active, mode.elements, [=](unsigned i) { result[i] = converted<From, To>(from[i], mode, flags); });
}

/// Emits a step for such a handler, with the mode of the conversion.
void emit_float_conversion(const Conversion& conversion, Lowering& lowering, Handler handler,
                           std::initializer_list<Slot> operands, std::uint8_t elements = 1);

}  // namespace kiln::emulator
