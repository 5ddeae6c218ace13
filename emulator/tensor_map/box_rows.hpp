// Which bytes of a tensor a copy moves, and where they lie in shared memory.
#pragma once

#include "emulator/tensor_map/tensor_map.hpp"

#include <vector>

namespace kiln::emulator {

/// Where a copy begins.
struct BoxPlace {
  std::array<std::int32_t, 5> at = {};        // in the order of the dimensions
  std::array<std::uint16_t, 3> offsets = {};  // im2col: added to W, H, D of each pixel
};

/// Bytes side by side, both in the tensor and in shared memory. `before` and `after` lie outside the tensor.
struct BoxRow {
  std::uint64_t address = 0;  // of the first byte inside
  std::uint32_t before = 0, inside = 0, after = 0;
};

/// The dimension of W, after which H and D come.
std::uint32_t first_pixel_dimension(const TensorMap& map);
/// Bytes of each row of box_rows(): a multiple of 16, unless tensormap.replace has broken the rules.
std::uint32_t row_bytes(const TensorMap& map);
/// Bytes of all rows, which lie one after the other in shared memory.
std::uint64_t box_bytes(const TensorMap& map);
std::vector<BoxRow> box_rows(const TensorMap& map, const BoxPlace& place);

/// The place in shared memory of the 16 bytes at this one: swizzles permute them by bits of their address.
std::uint64_t swizzled(std::uint64_t address, CUtensorMapSwizzle swizzle);

}  // namespace kiln::emulator
