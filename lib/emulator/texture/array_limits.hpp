// How large arrays and textures may be: those of a device of compute capability 9.0.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <optional>

namespace kiln::emulator {

/// The device attributes of textures and surfaces; none for other attributes.
std::optional<int> texture_attribute(CUdevice_attribute attribute);

/// Throws CallError (CUDA_ERROR_INVALID_VALUE) for a shape that no array has, or one beyond the limits.
void check_shape(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, bool mipmapped);

}  // namespace kiln::emulator
