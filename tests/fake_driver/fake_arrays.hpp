// What tests ask of the fake driver's arrays, textures and surfaces.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <vector>

namespace fake_cuda {

/// What was made and not given back; levels of mipmapped arrays are not counted.
std::size_t live_arrays();
std::size_t live_mipmapped_arrays();
std::size_t live_textures();
std::size_t live_surfaces();

/// With what the last texture was made.
struct Texture {
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC descriptor;
};
Texture last_texture();
/// With what the last array was made.
CUDA_ARRAY3D_DESCRIPTOR last_array();
/// How many levels the last mipmapped array has.
unsigned last_levels();

/// A large GPU's limits of textures and arrays; 0 for every other attribute.
int texture_attribute(CUdevice_attribute which);

}  // namespace fake_cuda
