#include "tensor_walk.hpp"

#include <numeric>

namespace differential {
namespace {

using Place = std::vector<std::int64_t>;

unsigned size_of(kiln::TensorMapType type) {
  switch (type) {
    case kiln::TensorMapType::uint8:
      return 1;
    case kiln::TensorMapType::uint16:
    case kiln::TensorMapType::float16:
    case kiln::TensorMapType::bfloat16:
      return 2;
    case kiln::TensorMapType::uint64:
    case kiln::TensorMapType::int64:
    case kiln::TensorMapType::float64:
      return 8;
    default:
      return 4;
  }
}

/// The byte of global memory, or -1 outside of the tensor.
std::ptrdiff_t global_byte(const Place& at, const std::vector<std::uint64_t>& sizes,
                           const std::vector<std::uint64_t>& strides, unsigned unit) {
  std::uint64_t byte = 0, dense = unit;
  for (std::size_t d = 0; d < at.size(); ++d) {
    if (at[d] < 0 || static_cast<std::uint64_t>(at[d]) >= sizes[d]) return -1;
    byte += static_cast<std::uint64_t>(at[d]) * (d == 0 || strides.empty() ? dense : strides[d - 1]);
    dense *= sizes[d];
  }
  return static_cast<std::ptrdiff_t>(byte);
}

bool is_interleaved(const TensorCase& one) {
  return (one.is_im2col() ? one.pixels.interleave : one.tiled.interleave) != kiln::TensorMapInterleave::none;
}

/// The innermost dimension has strides only where it is not of elements, but of slices.
std::uint32_t step(const TensorCase& one, std::size_t d) {
  const std::vector<std::uint32_t>& steps = one.is_im2col() ? one.pixels.element_strides : one.tiled.element_strides;
  return steps.empty() || (d == 0 && !is_interleaved(one)) ? 1 : steps[d];
}

/// Where each element of the box is.
std::vector<Place> box_places(const TensorCase& one) {
  std::vector<Place> places;
  Place index(one.rank(), 0);
  for (;;) {
    Place at;
    for (std::size_t d = 0; d < index.size(); ++d) at.push_back(one.at[d] + index[d] * step(one, d));
    places.push_back(at);
    std::size_t d = 0;
    for (; d < index.size(); ++d) {
      ++index[d];
      const bool is_slice = is_interleaved(one) && d + 2 == one.rank();
      if (!is_slice && index[d] * step(one, d) < one.tiled.box[d]) break;
      index[d] = 0;
    }
    if (d == index.size()) return places;
  }
}

/// Where each channel of each pixel is.
std::vector<Place> pixel_places(const TensorCase& one) {
  const auto& map = one.pixels;
  const std::size_t first = is_interleaved(one) ? 0 : 1, last = first + one.rank() - 2;
  std::vector<Place> places;
  Place at(one.at.begin(), one.at.end());
  for (std::uint32_t pixel = 0; pixel < map.pixels_per_column; ++pixel) {
    Place moved = at;
    for (std::size_t i = 0; i < one.offsets.size(); ++i) moved[i + first] += one.offsets[i];
    for (std::uint32_t channel = 0; channel < (is_interleaved(one) ? 1 : map.channels_per_pixel); ++channel) {
      places.push_back(moved);
      places.back()[0] += channel;
    }
    std::size_t d = first;
    for (; d < last; ++d) {
      at[d] += step(one, d);
      if (at[d] < static_cast<std::int64_t>(map.sizes[d]) + map.upper_corner[d - first]) break;
      at[d] = map.lower_corner[d - first];
    }
    if (d == last) ++at.back();
  }
  return places;
}

std::size_t swizzled(std::size_t byte, kiln::TensorMapSwizzle swizzle) {
  const std::size_t mask = (std::size_t{1} << static_cast<unsigned>(swizzle)) - 1;
  return byte ^ (((byte >> 7) & mask) << 4);
}

}  // namespace

unsigned TensorCase::unit() const {
  const kiln::TensorMapInterleave interleave = is_im2col() ? pixels.interleave : tiled.interleave;
  if (interleave == kiln::TensorMapInterleave::interleave_16b) return 16;
  if (interleave == kiln::TensorMapInterleave::interleave_32b) return 32;
  return size_of(is_im2col() ? pixels.type : tiled.type);
}

std::size_t TensorCase::bytes() const { return bytes_moved(*this).size(); }

kiln::TensorMap TensorCase::map(const void* memory) const {
  if (is_im2col()) {
    kiln::TensorMapIm2col made = pixels;
    made.pointer = memory;
    return kiln::TensorMap::im2col(made);
  }
  kiln::TensorMapTiled made = tiled;
  made.pointer = memory;
  return kiln::TensorMap::tiled(made);
}

std::vector<MovedByte> bytes_moved(const TensorCase& one) {
  std::vector<MovedByte> moved;
  const auto& sizes = one.is_im2col() ? one.pixels.sizes : one.tiled.sizes;
  const auto& strides = one.is_im2col() ? one.pixels.strides : one.tiled.strides;
  for (const Place& each : one.is_im2col() ? pixel_places(one) : box_places(one)) {
    const std::ptrdiff_t first = global_byte(each, sizes, strides, one.unit());
    for (unsigned i = 0; i < one.unit(); ++i)
      moved.push_back({swizzled(one.place + moved.size(), one.is_im2col() ? one.pixels.swizzle : one.tiled.swizzle),
                       first < 0 ? -1 : first + static_cast<std::ptrdiff_t>(i)});
  }
  return moved;
}

}  // namespace differential
