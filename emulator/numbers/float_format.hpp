// The floating-point formats of PTX as types: the sizes of their fields, and their special values.
#pragma once

#include <cstdint>

namespace kiln::emulator {

enum class Rounding : std::uint8_t { nearest, zero, down, up, nearest_away };

template <class B, unsigned exponent_bits, unsigned fraction>
struct IeeeFormat {
  using Bits = B;
  static constexpr unsigned fraction_bits = fraction;
  static constexpr int max_exponent = (1 << (exponent_bits - 1)) - 1;  // of the largest value, and the bias
  static constexpr int min_exponent = 1 - max_exponent;                // of the smallest normal value
  static constexpr Bits sign = static_cast<Bits>(Bits{1} << (exponent_bits + fraction));
  static constexpr Bits infinity = static_cast<Bits>(sign - (Bits{1} << fraction));
  static constexpr Bits max_finite = static_cast<Bits>(infinity - 1);
  static constexpr Bits min_normal = static_cast<Bits>(Bits{1} << fraction);
  static constexpr Bits quiet = static_cast<Bits>(Bits{1} << (fraction - 1));
  static constexpr Bits one = static_cast<Bits>(static_cast<Bits>(max_exponent) << fraction);
};

// `nan` is the result of an invalid operation on NVIDIA hardware. `keeps_payload`: a NaN operand becomes the result,
// made quiet; in other formats every NaN result is `nan`.
struct F16 : IeeeFormat<std::uint16_t, 5, 10> {
  static constexpr Bits nan = 0x7FFF;
  static constexpr bool keeps_payload = false;
};
struct Bf16 : IeeeFormat<std::uint16_t, 8, 7> {
  static constexpr Bits nan = 0x7FFF;
  static constexpr bool keeps_payload = false;
};
struct F32 : IeeeFormat<std::uint32_t, 8, 23> {
  using Host = float;
  static constexpr Bits nan = 0x7FFFFFFF;
  static constexpr bool keeps_payload = false;
};
struct F64 : IeeeFormat<std::uint64_t, 11, 52> {
  using Host = double;
  static constexpr Bits nan = 0xFFF8000000000000;
  static constexpr bool keeps_payload = true;
};
/// The upper 19 bits of an f32.
struct Tf32 : IeeeFormat<std::uint32_t, 8, 10> {
  static constexpr Bits nan = 0x3FFFF;
  static constexpr bool keeps_payload = false;
};
struct E5m2 : IeeeFormat<std::uint8_t, 5, 2> {
  static constexpr Bits nan = 0x7F;
  static constexpr bool keeps_payload = false;
};
/// e4m3 has no infinity. All ones is its only NaN, and the largest exponent holds ordinary numbers.
struct E4m3 : IeeeFormat<std::uint8_t, 4, 3> {
  static constexpr int max_exponent = 8;
  static constexpr Bits infinity = 0xFF;  // no magnitude
  static constexpr Bits max_finite = 0x7E;
  static constexpr Bits nan = 0x7F;
  static constexpr bool keeps_payload = false;
};

template <class F>
constexpr typename F::Bits magnitude_of(typename F::Bits bits) {
  return static_cast<typename F::Bits>(bits & (F::sign - 1));
}
template <class F>
constexpr bool is_negative(typename F::Bits bits) {
  return (bits & F::sign) != 0;
}
template <class F>
constexpr bool is_infinite(typename F::Bits bits) {
  return magnitude_of<F>(bits) == F::infinity;
}
template <class F>
constexpr bool is_nan(typename F::Bits bits) {
  return magnitude_of<F>(bits) > F::max_finite && !is_infinite<F>(bits);
}
template <class F>
constexpr bool is_subnormal(typename F::Bits bits) {
  return magnitude_of<F>(bits) != 0 && magnitude_of<F>(bits) < F::min_normal;
}
/// Zero of the same sign for a subnormal value.
template <class F>
constexpr typename F::Bits flushed(typename F::Bits bits) {
  return magnitude_of<F>(bits) < F::min_normal ? static_cast<typename F::Bits>(bits & F::sign) : bits;
}
template <class F>
constexpr typename F::Bits negated(typename F::Bits bits) {
  return static_cast<typename F::Bits>(bits ^ F::sign);
}

}  // namespace kiln::emulator
