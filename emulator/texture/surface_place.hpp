// The place that a surface instruction accesses.
#pragma once

#include "emulator/texture/array.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace kiln::emulator {

/// .trap, .clamp, .zero: the effect of an access outside the surface.
enum class Outside : std::uint8_t { trap, clamp, zero };

/// Coordinates: bytes, row, slice (or layer).
struct SurfacePlace {
  std::byte* bytes = nullptr;  // null: outside
  bool misaligned = false;
};

inline SurfacePlace surface_place(const Texels& texels, const std::array<std::int64_t, 3>& at, unsigned size,
                                  Outside outside) {
  if (at[0] % size != 0) return {nullptr, true};
  const std::int64_t row = static_cast<std::int64_t>(texels.width_bytes());
  // The last place in a row for an access of this size: with it all three coordinates can be compared and clamped
  // alike.
  const std::array<std::int64_t, 3> last = {row / size * size - size, std::int64_t{texels.height} - 1,
                                            std::int64_t{texels.depth} - 1};
  std::array<std::int64_t, 3> inside = {};
  for (std::size_t i = 0; i < 3; ++i) {
    if (last[i] < 0) return {};
    inside[i] = std::clamp<std::int64_t>(at[i], 0, last[i]);
    if (inside[i] != at[i] && outside != Outside::clamp) return {};
  }
  return {texels.at(static_cast<std::uint64_t>(inside[0]), static_cast<std::uint64_t>(inside[1]),
                    static_cast<std::uint64_t>(inside[2]))};
}

}  // namespace kiln::emulator
