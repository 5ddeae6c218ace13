// Device memory that a texture reads.
#pragma once

#include <kiln/array_format.hpp>
#include <kiln/driver_types.hpp>

#include <cstddef>

namespace kiln::detail {

/// Linear or, with a pitch, 2-D device memory.
struct TextureMemory {
  CUdeviceptr pointer;
  ArrayFormat format;
  unsigned num_channels;
  /// In elements.
  std::size_t width;
  std::size_t height;
  /// In bytes; 0 for linear memory.
  std::size_t pitch;
};

}  // namespace kiln::detail
