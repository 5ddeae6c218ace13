// Texture and surface objects, and the tables of all handles.
#pragma once

#include "emulator/texture/array.hpp"

#include <cuda.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kiln::emulator {

struct Texture {
  // As passed by the program.
  CUDA_RESOURCE_DESC resource = {};
  CUDA_TEXTURE_DESC descriptor = {};
  Owner owner;

  std::vector<Texels> levels;                        // one if not mipmapped
  std::vector<std::shared_ptr<const Array>> arrays;  // of the levels; empty for memory
  Element element;                                   // as kernels read it
  std::array<CUaddress_mode, 3> address_mode = {};   // in effect
  bool normalized = false, linear = false, srgb = false, seamless = false;
  bool linear_memory = false;  // accessed by index, 0 outside
  bool mipmapped = false, layered = false, cubemap = false;

  unsigned layers() const { return layered || cubemap ? levels.front().depth : 1; }
  /// Empty if kernels may read the texture; otherwise the reason why not: a destroyed array, freed memory.
  std::string fault() const;
};

/// Throws CallError.
std::shared_ptr<Texture> make_texture(const CUDA_RESOURCE_DESC& resource, const CUDA_TEXTURE_DESC& descriptor,
                                      Owner owner);

struct Surface {
  CUDA_RESOURCE_DESC resource = {};
  Owner owner;
  std::shared_ptr<const Array> array;

  std::string fault() const;
};

/// Throws CallError.
std::shared_ptr<Surface> make_surface(const CUDA_RESOURCE_DESC& resource, Owner owner);

}  // namespace kiln::emulator
