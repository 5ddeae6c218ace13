// Conversion of f16 and bf16 values, given as their bits, to and from float and double.
#pragma once

#include "emulator/numbers/float_format.hpp"

#include <bit>
#include <cstdint>

namespace kiln::emulator {

inline float float_of_half(std::uint16_t bits) {
  // As an f32 its exponent is too small by the difference of the biases. Correct for subnormal values too.
  const auto magnitude = static_cast<std::uint32_t>(bits & 0x7FFFu) << 13;
  const float scaled = std::bit_cast<float>(magnitude) * 0x1p112f;
  std::uint32_t result = std::bit_cast<std::uint32_t>(scaled);
  if ((bits & 0x7FFFu) >= F16::infinity) result = magnitude | F32::infinity;
  return std::bit_cast<float>(result | static_cast<std::uint32_t>(bits & 0x8000u) << 16);
}
inline float float_of_bfloat(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// Rounds to nearest even. Every NaN becomes 0x7fff.
inline std::uint16_t half_of_float(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  std::uint32_t result;
  if (magnitude > F32::infinity) return F16::nan;
  if (magnitude >= 0x477FF000u) {  // 65520, halfway between the largest finite value and the next
    result = F16::infinity;
  } else if (magnitude < 0x38800000u) {  // below 2^-14: the processor's own addition rounds at 2^-24
    result = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - std::bit_cast<std::uint32_t>(0.5f);
  } else {
    result = (magnitude - (112u << 23) + 0xFFFu + ((magnitude >> 13) & 1u)) >> 13;
  }
  return static_cast<std::uint16_t>(result | sign);
}
inline std::uint16_t bfloat_of_float(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7FFFFFFFu) > F32::infinity) return Bf16::nan;
  return static_cast<std::uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

}  // namespace kiln::emulator
