// Shared by the handlers of conversions.
#pragma once

#include "emulator/instructions/conversion/conversion.hpp"
#include "emulator/instructions/floating/small_mode.hpp"
#include "emulator/machine/warp.hpp"

#include <algorithm>

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

}  // namespace kiln::emulator
