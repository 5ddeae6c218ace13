// What the texture unit gives for coordinates: the CUDA Programming Guide's appendix on texture fetching.
#pragma once

#include "emulator/texture/texture.hpp"

#include <array>
#include <cstdint>

namespace kiln::emulator {

/// How an instruction addresses a texture: .1d .2d .3d .cube; with an index first, .a1d .a2d .acube.
struct Geometry {
  std::uint8_t dimensions = 2;  // of coordinates: 3 for a cube too
  bool cube = false;
  bool layered = false;

  /// Dimensions of what is filtered: a face of a cube is a plane.
  unsigned axes() const { return cube ? 2u : dimensions; }
};

/// Where to look.
struct Place {
  std::array<float, 3> at = {};
  std::uint32_t layer = 0;
  std::array<std::int32_t, 3> offset = {};  // elements
};

/// tex by floats. `level` is that of mipmaps before the texture's bias and limits.
Texel sample(const Texture& texture, Geometry geometry, const Place& place, float level);

/// tex of the base level.
Texel sample_base(const Texture& texture, Geometry geometry, const Place& place);

/// tex by integers: one element of a level, zeros outside.
Texel fetch(const Texture& texture, Geometry geometry, const std::array<std::int64_t, 3>& at, std::uint32_t layer,
            std::int32_t level);

/// tld4: a channel of the four elements that a linear filter would mix, from the lower left counter-clockwise.
Texel gather(const Texture& texture, Geometry geometry, const Place& place, unsigned channel);

/// The level that derivatives of the coordinates ask for.
float level_of_gradients(const Texture& texture, Geometry geometry, const Place& place, const std::array<float, 3>& dx,
                         const std::array<float, 3>& dy);

}  // namespace kiln::emulator
