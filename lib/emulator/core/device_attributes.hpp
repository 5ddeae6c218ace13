// How many devices there are, and their properties, as the environment sets them.
#pragma once

#include <cuda.h>

namespace kiln::emulator {

/// KILN_EMULATOR_DEVICES: 0 to 64, by default 1.
int device_count();
/// KILN_EMULATOR_ARCH ("8.6", "86", "sm_86") as 86; by default 90.
unsigned device_arch();
/// Throws CallError(CUDA_ERROR_INVALID_DEVICE).
void check_device(int device);
/// 0 for an unknown attribute, and for a feature that the device does not have.
int device_attribute(int device, CUdevice_attribute attribute);

}  // namespace kiln::emulator
