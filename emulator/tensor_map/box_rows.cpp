#include "emulator/tensor_map/box_rows.hpp"

#include <algorithm>

namespace kiln::emulator {
namespace {

// The dimensions are C, W, H, D, N. Interleaved they are W, H, D, then the slices of C, then N, and the channels of a
// slice, 16 or 32 bytes, lie side by side below W. So an H100 does it.
bool is_interleaved(const TensorMap& map) { return map.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE; }
std::uint32_t slice_dimension(const TensorMap& map) { return map.rank - 2; }

unsigned unit_bytes(const TensorMap& map) {
  if (!is_interleaved(map)) return element_bytes(map.type);
  return map.interleave == CU_TENSOR_MAP_INTERLEAVE_16B ? 16 : 32;
}

// Units of a row. The innermost dimension has element strides only where it is interleaved: then each unit is a row.
std::uint32_t row_units(const TensorMap& map) {
  if (is_interleaved(map)) return 1;
  return map.im2col ? map.channels : map.box[0];
}

// The number of positions along a dimension of a box, which has one slice of C whatever its size there is.
std::uint32_t steps(const TensorMap& map, std::uint32_t i) {
  if (is_interleaved(map) && i == slice_dimension(map)) return 1;
  const std::uint32_t stride = std::max(1u, map.element_strides[i]);
  return (map.box[i] + stride - 1) / stride;
}

using Position = std::array<std::int64_t, 5>;

// The row that begins at a position.
BoxRow row_at(const TensorMap& map, const Position& at) {
  const unsigned unit = unit_bytes(map);
  const std::int64_t units = row_units(map), size = static_cast<std::int64_t>(map.sizes[0]);
  BoxRow row;
  row.address = map.address;
  bool inside = true;
  for (std::uint32_t i = 1; i < map.rank; ++i) {
    inside = inside && at[i] >= 0 && at[i] < static_cast<std::int64_t>(map.sizes[i]);
    row.address += static_cast<std::uint64_t>(at[i]) * map.strides[i - 1];
  }
  const std::int64_t first = std::clamp<std::int64_t>(at[0], 0, size);
  const std::int64_t last = std::clamp<std::int64_t>(at[0] + units, first, size);
  if (!inside || first == last) {
    row.before = static_cast<std::uint32_t>(units) * unit;
    return row;
  }
  row.address += static_cast<std::uint64_t>(first) * unit;
  row.before = static_cast<std::uint32_t>(first - at[0]) * unit;
  row.inside = static_cast<std::uint32_t>(last - first) * unit;
  row.after = static_cast<std::uint32_t>(at[0] + units - last) * unit;
  return row;
}

std::vector<BoxRow> tile_rows(const TensorMap& map, const BoxPlace& place) {
  const std::uint32_t first = first_pixel_dimension(map);
  std::vector<BoxRow> rows;
  std::array<std::uint32_t, 5> step = {};
  for (;;) {
    Position at = {};
    for (std::uint32_t i = 0; i < map.rank; ++i)
      at[i] = std::int64_t{place.at[i]} + std::int64_t{step[i]} * map.element_strides[i];
    rows.push_back(row_at(map, at));
    std::uint32_t i = first;
    while (i < map.rank && ++step[i] >= steps(map, i)) step[i++] = 0;
    if (i >= map.rank) return rows;
  }
}

// Pixels follow each other along W, H, D within the bounding box, and then N. The filter's offsets are added after it.
std::vector<BoxRow> pixel_rows(const TensorMap& map, const BoxPlace& place) {
  std::vector<BoxRow> rows;
  Position corner = {};
  std::copy(place.at.begin(), place.at.end(), corner.begin());
  const std::uint32_t first = first_pixel_dimension(map), last = first + map.rank - 2, images = map.rank - 1;
  for (std::uint32_t pixel = 0; pixel < map.pixels; ++pixel) {
    Position at = corner;
    for (std::uint32_t i = first; i < last; ++i) at[i] += place.offsets[i - first];
    rows.push_back(row_at(map, at));
    std::uint32_t i = first;
    for (; i < last; ++i) {
      corner[i] += map.element_strides[i];
      if (corner[i] < static_cast<std::int64_t>(map.sizes[i]) + map.upper_corner[i - first]) break;
      corner[i] = map.lower_corner[i - first];
    }
    if (i == last) corner[images] += map.element_strides[images];
  }
  return rows;
}

}  // namespace

std::uint32_t first_pixel_dimension(const TensorMap& map) { return is_interleaved(map) ? 0 : 1; }

std::uint32_t row_bytes(const TensorMap& map) { return row_units(map) * unit_bytes(map); }

std::uint64_t box_bytes(const TensorMap& map) {
  std::uint64_t rows = 1;
  if (map.im2col) {
    rows = map.pixels;
  } else {
    for (std::uint32_t i = first_pixel_dimension(map); i < map.rank; ++i) rows *= steps(map, i);
  }
  return rows * row_bytes(map);
}

std::vector<BoxRow> box_rows(const TensorMap& map, const BoxPlace& place) {
  return map.im2col ? pixel_rows(map, place) : tile_rows(map, place);
}

// Bits 4 to 6 of the address, of which a swizzle takes 1, 2 or 3, are combined with those that count lines of 128
// bytes. The pattern follows from the address, not from the place in the box.
std::uint64_t swizzled(std::uint64_t address, CUtensorMapSwizzle swizzle) {
  const std::uint64_t mask = (std::uint64_t{1} << swizzle) - 1;
  return address ^ ((address >> 7 & mask) << 4);
}

}  // namespace kiln::emulator
