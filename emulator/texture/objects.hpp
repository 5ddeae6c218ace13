// The handles of arrays, textures and surfaces.
#pragma once

#include "emulator/texture/texture.hpp"

#include <cuda.h>

#include <cstdint>
#include <memory>
#include <string>

namespace kiln::emulator {

CUarray add_array(std::shared_ptr<Array> array);
/// Throws CallError(CUDA_ERROR_INVALID_HANDLE).
std::shared_ptr<Array> array_of(CUarray handle);
/// Throws CallError for an unknown handle, and for a level of a mipmapped array.
void destroy_array(CUarray handle);

CUmipmappedArray add_mipmapped_array(std::shared_ptr<MipmappedArray> array);
std::shared_ptr<MipmappedArray> mipmapped_array_of(CUmipmappedArray handle);
/// Returns the same handle each time; it becomes invalid with the mipmapped array.
CUarray level_handle(CUmipmappedArray handle, unsigned level);
void destroy_mipmapped_array(CUmipmappedArray handle);

CUtexObject add_texture(std::shared_ptr<Texture> texture);
/// Null for an unknown handle: kernels look them up too.
std::shared_ptr<const Texture> find_texture(CUtexObject handle);
void destroy_texture(CUtexObject handle);

CUsurfObject add_surface(std::shared_ptr<Surface> surface);
std::shared_ptr<const Surface> find_surface(CUsurfObject handle);
void destroy_surface(CUsurfObject handle);

/// Destroys all objects of a context.
void destroy_objects_of(const Context& context);

}  // namespace kiln::emulator
