// Limits of array sizes.
#pragma once

#include <cuda.h>

namespace kiln::emulator {

/// Throws CallError(CUDA_ERROR_INVALID_VALUE) for an impossible shape, or one beyond the limits of the device.
void check_shape(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, bool mipmapped, int device);

}  // namespace kiln::emulator
