// TextureDescriptor: how a texture is read.
#pragma once

#include <kiln/texture_modes.hpp>

#include <array>
#include <limits>

namespace kiln {

/// Counterpart: cudaTextureDesc and CUDA_TEXTURE_DESC.
struct TextureDescriptor {
  /// For x, y and z. Without normalised coordinates only clamp and border.
  std::array<AddressMode, 3> address_mode = {AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
  FilterMode filter_mode = FilterMode::point;   ///< between elements
  ReadMode read_mode = ReadMode::element_type;  ///< whether integers are read as floats
  /// Coordinates run from 0 to 1 over the texture and not from 0 to its size.
  bool normalized_coords = false;
  /// Converts sRGB to linear values; unsigned_int8 read as normalised floats only.
  bool srgb = false;
  /// The driver clamps it to 1 to 16.
  unsigned max_anisotropy = 0;
  FilterMode mipmap_filter_mode = FilterMode::point;  ///< between levels
  /// Added to the level that a fetch asks for.
  float mipmap_level_bias = 0;
  float min_mipmap_level_clamp = 0;                                       ///< the lowest level that is read
  float max_mipmap_level_clamp = std::numeric_limits<float>::infinity();  ///< the highest one
  /// Of integers that are read as they are, their bits.
  std::array<float, 4> border_color = {};
  bool disable_trilinear_optimization = false;  ///< no shortcut where the filter would not show
  /// Filters over the edges between a cubemap's faces.
  bool seamless_cubemap = false;
};

}  // namespace kiln
