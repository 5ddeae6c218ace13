// How many devices there are, and their properties, as the environment sets them.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::emulator {

/// Local memory of a thread, in bytes, on every device.
inline constexpr std::uint64_t most_local_memory = std::uint64_t{512} << 10;

/// Those of KILN_EMULATOR_DEVICES (0 to 64, by default 1) that CUDA_VISIBLE_DEVICES leaves.
int device_count();
/// A device's number on the machine, which CUDA_VISIBLE_DEVICES does not change. Throws as check_device.
int number_on_machine(int device);
/// The device with that number on the machine. Throws CallError(CUDA_ERROR_INVALID_DEVICE) where it is not visible.
int device_with_number(int number);
/// A UUID that names the emulator and the device's number on the machine.
CUuuid device_uuid(int number);
/// KILN_EMULATOR_ARCH ("8.6", "86", "sm_86") as 86; by default 90.
unsigned device_arch();
/// Throws CallError(CUDA_ERROR_INVALID_DEVICE).
void check_device(int device);
/// 0 for an unknown attribute, and for a feature that the device does not have.
int device_attribute(int device, CUdevice_attribute attribute);

/// As nvidia-smi writes it, "GPU-6b696c6e-...", of the device with that number on the machine.
std::string uuid_text(int number);

/// The numbers, on a machine with that many devices, that a list of indices or of UUIDs (or their beginnings) leaves:
/// those before the first one that names no device, and none where a device is named twice. All without a list.
std::vector<int> visible_devices(const std::optional<std::string>& list, int on_machine);

}  // namespace kiln::emulator
