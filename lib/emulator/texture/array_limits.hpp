// How large arrays may be.
#pragma once

#include <cuda.h>

namespace kiln::emulator {

/// Throws CallError (CUDA_ERROR_INVALID_VALUE) for a shape that no array has, or one beyond the device's limits.
void check_shape(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, bool mipmapped, int device);

}  // namespace kiln::emulator
