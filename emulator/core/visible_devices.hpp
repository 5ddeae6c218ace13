// CUDA_VISIBLE_DEVICES: which devices a process sees, and in what order.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::emulator {

/// As nvidia-smi writes it, "GPU-6b696c6e-...", of the device with that number on the machine.
std::string uuid_text(int number);

/// The numbers, on a machine with that many devices, that a list of indices or of UUIDs (or their beginnings) leaves:
/// those before the first one that names no device, and none where a device is named twice. All without a list.
std::vector<int> visible_devices(const std::optional<std::string>& list, int on_machine);

}  // namespace kiln::emulator
