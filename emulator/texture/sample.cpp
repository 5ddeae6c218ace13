#include "emulator/texture/sample.hpp"

#include <cuda.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace kiln::emulator {

namespace {

// The faces of a cube, and which one a direction hits.

/// A direction relative to a face: across, down and forward (its major axis).
struct FaceVector {
  float across = 0, down = 0, forward = 0;
};

/// Coordinates on a face, 0 to 1.
struct FacePlace {
  unsigned face = 0;
  float u = 0, v = 0;
};

/// An element of a face; x and y may be one outside its edges.
struct FaceElement {
  unsigned face = 0;
  std::int64_t x = 0, y = 0;
};

// For each face: which component of a direction goes across, down and forward, and with which sign (the table of
// "Cubemap Textures" in the CUDA Programming Guide).
struct Axis {
  unsigned component;
  float sign;
};
struct FaceAxes {
  Axis across, down, forward;
};
constexpr FaceAxes faces[6] = {{{2, -1}, {1, -1}, {0, 1}}, {{2, 1}, {1, -1}, {0, -1}}, {{0, 1}, {2, 1}, {1, 1}},
                               {{0, 1}, {2, -1}, {1, -1}}, {{0, 1}, {1, -1}, {2, 1}},  {{0, -1}, {1, -1}, {2, -1}}};

/// The face that a direction hits: 0 to 5 for +x, -x, +y, -y, +z, -z.
unsigned face_of(const std::array<float, 3>& direction) {
  const float x = std::fabs(direction[0]), y = std::fabs(direction[1]), z = std::fabs(direction[2]);
  const unsigned axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
  return 2 * axis + (std::signbit(direction[axis]) ? 1 : 0);
}

FaceVector seen_from(unsigned face, const std::array<float, 3>& direction) {
  const FaceAxes& axes = faces[face];
  const auto along = [&](Axis axis) { return axis.sign * direction[axis.component]; };
  return {along(axes.across), along(axes.down), along(axes.forward)};
}

std::array<float, 3> direction_of(unsigned face, const FaceVector& vector) {
  const FaceAxes& axes = faces[face];
  std::array<float, 3> direction = {};
  direction[axes.across.component] = axes.across.sign * vector.across;
  direction[axes.down.component] = axes.down.sign * vector.down;
  direction[axes.forward.component] = axes.forward.sign * vector.forward;
  return direction;
}

FacePlace face_place(const std::array<float, 3>& direction) {
  const unsigned face = face_of(direction);
  const FaceVector seen = seen_from(face, direction);
  if (!(seen.forward > 0)) return {face, 0.5F, 0.5F};  // a zero vector
  return {face, (seen.across / seen.forward + 1) / 2, (seen.down / seen.forward + 1) / 2};
}

/// The element of the neighbouring face at that place. Not for corners, where there is none.
FaceElement across_edge(const FaceElement& element, std::int64_t size) {
  const auto from_middle = [&](std::int64_t at) {
    return static_cast<float>(2 * at + 1) / static_cast<float>(size) - 1;
  };
  const FacePlace place = face_place(direction_of(element.face, {from_middle(element.x), from_middle(element.y), 1}));
  const auto index = [&](float at) {
    const auto whole = static_cast<std::int64_t>(std::floor(static_cast<double>(at) * static_cast<double>(size)));
    return std::clamp<std::int64_t>(whole, 0, size - 1);
  };
  return {place.face, index(place.u), index(place.v)};
}

// From a coordinate on one axis to elements.

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

constexpr Texel zeros = {0, 0, 0, 0};

/// A level, and the coordinates in elements of it.
struct LevelPlace {
  const Texture& texture;
  const Texels& texels;
  unsigned axes;
  std::array<double, 3> at = {};
  std::uint32_t slice = 0;  // layer of a 1-D or 2-D array
  unsigned face = 0;        // of a cube, whose first face is `slice`
  bool cube = false;

  std::int64_t size(unsigned axis) const { return axis == 0 ? texels.width : axis == 1 ? texels.height : texels.depth; }
};

std::uint32_t clamped_layer(const Texture& texture, Geometry geometry, std::uint32_t layer) {
  if (!geometry.layered) return 0;
  const std::uint32_t count = texture.layers() / (geometry.cube ? 6 : 1);
  return count == 0 ? 0 : std::min(layer, count - 1);
}

LevelPlace on_level(const Texture& texture, Geometry geometry, const Place& place, std::size_t level) {
  LevelPlace result{texture, texture.levels[level], geometry.axes()};
  result.slice = clamped_layer(texture, geometry, place.layer);
  std::array<float, 3> at = place.at;
  bool normalized = texture.normalized;
  if (geometry.cube) {
    const FacePlace on_face = face_place(place.at);
    result.cube = true;
    result.face = std::min(on_face.face, result.texels.depth - 1);
    result.slice *= 6;
    at = {on_face.u, on_face.v, 0};
    normalized = true;
  }
  for (unsigned i = 0; i < result.axes; ++i) {
    // The product is rounded to float, as in the texture unit.
    const float scaled = normalized ? at[i] * static_cast<float>(result.size(i)) : at[i];
    result.at[i] = finite(scaled) + place.offset[i];
  }
  return result;
}

Texel border(const Texture& texture) {
  // Borders of integer textures are given as the bits of floats.
  Texel texel = {0, 0, 0, 0};
  for (unsigned i = 0; i < texture.element.channels; ++i)
    texel[i] = std::bit_cast<std::uint32_t>(texture.descriptor.borderColor[i]);
  return texel;
}

Texel element_at(const LevelPlace& place, std::int64_t x, std::int64_t y, std::int64_t z) {
  const Element element = place.texture.element;
  const std::byte* const at = place.texels.at(static_cast<std::uint64_t>(x) * element.size(),
                                              static_cast<std::uint64_t>(y), static_cast<std::uint64_t>(z));
  return read_element(at, element, place.texture.srgb);
}

/// The element at these indices, after the address modes.
Texel addressed(const LevelPlace& place, const std::array<std::int64_t, 3>& numbers) {
  std::array<std::int64_t, 3> index = {0, 0, std::int64_t{place.slice} + place.face};
  for (unsigned i = 0; i < place.axes; ++i) {
    index[i] = resolved(numbers[i], place.size(i), place.texture.address_mode[i]);
    if (index[i] < 0) return border(place.texture);
  }
  return element_at(place, index[0], index[1], index[2]);
}

using Sums = std::array<double, 4>;

void add_weighted(Sums& sums, const Texel& texel, double weight) {
  for (std::size_t i = 0; i < 4; ++i) sums[i] += weight * static_cast<double>(std::bit_cast<float>(texel[i]));
}

Texel rounded(const Sums& sums) {
  Texel texel;
  for (std::size_t i = 0; i < 4; ++i) texel[i] = std::bit_cast<std::uint32_t>(static_cast<float>(sums[i]));
  return texel;
}

/// For seamless cubes. Where three faces meet there is no fourth element: the mean of the three is used.
Texel on_cube(const LevelPlace& place, std::int64_t x, std::int64_t y) {
  const std::int64_t size = place.texels.width;
  const auto inside = [&](std::int64_t i) { return i >= 0 && i < size; };
  if (inside(x) && inside(y)) return element_at(place, x, y, std::int64_t{place.slice} + place.face);
  if (inside(x) || inside(y)) {
    const FaceElement there = across_edge({place.face, x, y}, size);
    return element_at(place, there.x, there.y, std::int64_t{place.slice} + there.face);
  }
  const std::int64_t near_x = std::clamp<std::int64_t>(x, 0, size - 1),
                     near_y = std::clamp<std::int64_t>(y, 0, size - 1);
  Sums sums = {};
  for (const Texel& texel : {on_cube(place, near_x, near_y), on_cube(place, near_x, y), on_cube(place, x, near_y)})
    add_weighted(sums, texel, 1.0 / 3);
  return rounded(sums);
}

Texel texel_at(const LevelPlace& place, const std::array<std::int64_t, 3>& numbers) {
  if (place.cube && place.texture.seamless) return on_cube(place, numbers[0], numbers[1]);
  return addressed(place, numbers);
}

Texel nearest(const LevelPlace& place) {
  std::array<std::int64_t, 3> numbers = {};
  for (unsigned i = 0; i < place.axes; ++i) numbers[i] = static_cast<std::int64_t>(std::floor(place.at[i]));
  return addressed(place, numbers);
}

/// The texture unit reads a 1-D texture as a 2-D one with a single row, at its upper edge. A filter on y takes half of
/// the border there, if that axis has one. (Seen on an H200; the other modes give the same row twice.)
bool half_is_border(const LevelPlace& place) {
  return place.axes == 1 && place.texture.address_mode[1] == CU_TR_ADDRESS_MODE_BORDER;
}

/// The mean of the elements around a place, weighted with 1.8 fixed point fractions on each axis.
Texel filtered(const LevelPlace& place) {
  std::array<LinearPlace, 3> along = {};
  for (unsigned i = 0; i < place.axes; ++i) along[i] = linear_place(place.at[i]);
  Sums sums = {};
  for (unsigned corner = 0; corner < (1u << place.axes); ++corner) {
    double weight = 1;
    std::array<std::int64_t, 3> numbers = {};
    for (unsigned i = 0; i < place.axes; ++i) {
      const bool second = ((corner >> i) & 1u) != 0;
      weight *= second ? along[i].second_weight : 1 - along[i].second_weight;
      numbers[i] = along[i].first + (second ? 1 : 0);
    }
    if (weight != 0) add_weighted(sums, texel_at(place, numbers), weight);
  }
  if (half_is_border(place)) {
    for (double& sum : sums) sum /= 2;
    add_weighted(sums, border(place.texture), 0.5);
  }
  return rounded(sums);
}

Texel on_one_level(const Texture& texture, Geometry geometry, const Place& place, std::size_t level) {
  const LevelPlace there = on_level(texture, geometry, place, level);
  return texture.linear ? filtered(there) : nearest(there);
}

Texel element_of_memory(const Texture& texture, double number) {
  const Texels& texels = texture.levels.front();
  if (!(number >= 0 && number < texels.width)) return zeros;
  return read_element(texels.at(static_cast<std::uint64_t>(number) * texture.element.size(), 0, 0), texture.element,
                      texture.srgb);
}

/// Samples a level inside the range of the texture.
Texel mixed_levels(const Texture& texture, Geometry geometry, const Place& place, float level) {
  const std::size_t last = texture.levels.size() - 1;
  const double inside = std::clamp(static_cast<double>(level), 0.0, static_cast<double>(last));
  if (texture.descriptor.mipmapFilterMode != CU_TR_FILTER_MODE_LINEAR)
    return on_one_level(texture, geometry, place, static_cast<std::size_t>(inside + 0.5));
  const auto steps = static_cast<std::size_t>(inside * 256 + 0.5);
  const std::size_t first = steps / 256;
  const double second_weight = static_cast<double>(steps % 256) / 256;
  if (second_weight == 0) return on_one_level(texture, geometry, place, first);
  Sums sums = {};
  add_weighted(sums, on_one_level(texture, geometry, place, first), 1 - second_weight);
  add_weighted(sums, on_one_level(texture, geometry, place, first + 1), second_weight);
  return rounded(sums);
}

float limited(const Texture& texture, float level) {
  const float least = texture.descriptor.minMipmapLevelClamp, most = texture.descriptor.maxMipmapLevelClamp;
  return std::fmax(std::fmin(level, most), least);  // NaN becomes the maximum
}

}  // namespace

Texel sample(const Texture& texture, Geometry geometry, const Place& place, float level) {
  if (!texture.mipmapped) return sample_base(texture, geometry, place);
  return mixed_levels(texture, geometry, place, limited(texture, level + texture.descriptor.mipmapLevelBias));
}

Texel sample_base(const Texture& texture, Geometry geometry, const Place& place) {
  if (texture.linear_memory) return element_of_memory(texture, std::floor(finite(place.at[0])) + place.offset[0]);
  if (!texture.mipmapped) return on_one_level(texture, geometry, place, 0);
  return mixed_levels(texture, geometry, place, limited(texture, 0));
}

Texel fetch(const Texture& texture, Geometry geometry, const std::array<std::int64_t, 3>& at, std::uint32_t layer,
            std::int32_t level) {
  if (texture.linear_memory) return element_of_memory(texture, static_cast<double>(at[0]));
  if (level < 0 || static_cast<std::size_t>(level) >= texture.levels.size()) return zeros;
  LevelPlace place{texture, texture.levels[static_cast<std::size_t>(level)], geometry.axes()};
  for (unsigned i = 0; i < place.axes; ++i)
    if (at[i] < 0 || at[i] >= place.size(i)) return zeros;
  if (geometry.layered && layer >= texture.layers()) return zeros;
  const std::int64_t z = place.axes == 3 ? at[2] : geometry.layered ? layer : 0;
  return element_at(place, at[0], place.axes >= 2 ? at[1] : 0, z);
}

Texel gather(const Texture& texture, Geometry geometry, const Place& place, unsigned channel) {
  if (texture.linear_memory) return zeros;
  const LevelPlace there = on_level(texture, geometry, place, 0);
  const std::int64_t left = linear_place(there.at[0]).first, top = linear_place(there.at[1]).first;
  const auto value = [&](std::int64_t x, std::int64_t y) { return texel_at(there, {x, y, 0})[channel]; };
  return {value(left, top + 1), value(left + 1, top + 1), value(left + 1, top), value(left, top)};
}

float level_of_gradients(const Texture& texture, Geometry geometry, const Place& place, const std::array<float, 3>& dx,
                         const std::array<float, 3>& dy) {
  const Texels& texels = texture.levels.front();
  const std::array<std::uint32_t, 3> size = {texels.width, texels.height, texels.depth};
  double longest = 0;
  for (const std::array<float, 3>& derivative : {dx, dy}) {
    std::array<double, 3> moved = {derivative[0], derivative[1], derivative[2]};
    if (geometry.cube) {  // derivatives of across / forward and down / forward
      const unsigned face = face_of(place.at);
      const FaceVector at = seen_from(face, place.at), by = seen_from(face, derivative);
      const double forward = at.forward, squared = forward * forward;
      moved = {(by.across * forward - at.across * static_cast<double>(by.forward)) / squared / 2,
               (by.down * forward - at.down * static_cast<double>(by.forward)) / squared / 2, 0};
    }
    double sum = 0;
    for (unsigned i = 0; i < geometry.axes(); ++i) {
      const double elements = moved[i] * (texture.normalized || geometry.cube ? size[i] : 1);
      sum += elements * elements;
    }
    longest = std::fmax(longest, std::sqrt(sum));
  }
  // Without movement it is the finest level.
  return longest > 0 ? static_cast<float>(std::log2(longest)) : -std::numeric_limits<float>::infinity();
}

}  // namespace kiln::emulator
