// Which ways to read a texture there are for which memory.
#pragma once

#include <kiln/texture_object.hpp>

namespace kiln {

/// What the rules of textures depend on.
struct TextureSource {
  ArrayFormat format;
  /// 1 to 3, layers not counted; 0 for a cubemap, whose coordinates are a direction.
  unsigned dimensions;
  bool is_cubemap = false;
  bool is_mipmapped = false;
  /// Read with tex1Dfetch.
  bool is_linear = false;
};

TextureSource texture_source(const ArrayDescriptor& descriptor);

/// Throws ArgumentError that names the member which does not go with the source.
void check_texture(const TextureDescriptor& descriptor, const TextureSource& source);

/// Throws ArgumentError, naming what is wrong, unless the device can read such memory as a texture.
void check_texture_memory(const detail::TextureMemory& memory, int device);

/// Whether elements are integers.
bool is_integer(ArrayFormat format);

}  // namespace kiln
