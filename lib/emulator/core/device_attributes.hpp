// The devices that the environment asks for, and their properties.
#pragma once

#include <cuda.h>

namespace kiln::emulator {

/// KILN_EMULATOR_DEVICES: 1 where it is not set, 0 to 64.
int device_count();
/// KILN_EMULATOR_ARCH ("8.6", "86", "sm_86") as 86; 90 where it is not set.
unsigned device_arch();
/// Throws CallError(CUDA_ERROR_INVALID_DEVICE).
void check_device(int device);
/// 0 for an attribute that the emulator does not know, as for one that the device has not.
int device_attribute(int device, CUdevice_attribute attribute);

}  // namespace kiln::emulator
