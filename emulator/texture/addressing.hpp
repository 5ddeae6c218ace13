// From a coordinate on one axis to elements.
#pragma once

#include <cuda.h>

#include <cmath>
#include <cstdint>

namespace kiln::emulator {

/// The element that the address mode selects for index `index` of `size`; -1: the border.
inline std::int64_t resolved(std::int64_t index, std::int64_t size, CUaddress_mode mode) {
  if (index >= 0 && index < size) return index;
  switch (mode) {
    case CU_TR_ADDRESS_MODE_WRAP:
      return (index % size + size) % size;
    case CU_TR_ADDRESS_MODE_MIRROR: {
      const std::int64_t twice = (index % (2 * size) + 2 * size) % (2 * size);
      return twice < size ? twice : 2 * size - 1 - twice;
    }
    case CU_TR_ADDRESS_MODE_BORDER:
      return -1;
    default:
      return index < 0 ? 0 : size - 1;
  }
}

/// Coordinates are finite, and doubles represent them exactly enough. NaN is 0.
inline double finite(float coordinate) {
  constexpr double far = 1e12;
  if (std::isnan(coordinate)) return 0;
  return std::fmin(std::fmax(static_cast<double>(coordinate), -far), far);
}

/// The two elements around a coordinate, and the weight of the second one in 256ths, as on hardware.
struct LinearPlace {
  std::int64_t first = 0;
  double second_weight = 0;
};

inline LinearPlace linear_place(double coordinate) {
  const auto steps = static_cast<std::int64_t>(std::floor((coordinate - 0.5) * 256 + 0.5));
  return {steps >> 8, static_cast<double>(steps & 255) / 256};
}

}  // namespace kiln::emulator
