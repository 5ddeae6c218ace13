// The results of the texture unit, by the appendix "Texture Fetching" of the CUDA Programming Guide.
#pragma once

#include "emulator/texture/texture.hpp"

#include <array>
#include <cstdint>

namespace kiln::emulator {

/// How an instruction addresses a texture: .1d .2d .3d .cube; with an index first, .a1d .a2d .acube.
struct Geometry {
  std::uint8_t dimensions = 2;  // number of coordinates: 3 for a cube too
  bool cube = false;
  bool layered = false;

  /// Dimensions of the filter: 2 for the face of a cube.
  unsigned axes() const { return cube ? 2u : dimensions; }
};

/// A position in a texture.
struct Place {
  std::array<float, 3> at = {};
  std::uint32_t layer = 0;
  std::array<std::int32_t, 3> offset = {};  // elements
};

/// tex with float coordinates. `level` is the mipmap level before the bias and limits of the texture.
Texel sample(const Texture& texture, Geometry geometry, const Place& place, float level);

/// tex from the base level.
Texel sample_base(const Texture& texture, Geometry geometry, const Place& place);

/// tex with integer coordinates: one element of a level; zeros outside.
Texel fetch(const Texture& texture, Geometry geometry, const std::array<std::int64_t, 3>& at, std::uint32_t layer,
            std::int32_t level);

/// tld4: one channel of the four elements that a linear filter would use, from the lower left counter-clockwise.
Texel gather(const Texture& texture, Geometry geometry, const Place& place, unsigned channel);

/// The level for these derivatives of the coordinates.
float level_of_gradients(const Texture& texture, Geometry geometry, const Place& place, const std::array<float, 3>& dx,
                         const std::array<float, 3>& dy);

}  // namespace kiln::emulator
