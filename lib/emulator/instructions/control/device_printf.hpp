// printf as kernels have it.
#pragma once

#include "emulator/instructions/control/lane_memory.hpp"

#include <cstdint>
#include <string>

namespace kiln::emulator {

/// Appends what printf writes. The arguments lie at `arguments` one after the other, each at its own alignment. Returns
/// how many of them the format took, -1 for no format: the result of CUDA's printf.
std::int32_t device_printf(const LaneMemory& memory, std::uint64_t format, std::uint64_t arguments, std::string& to);

}  // namespace kiln::emulator
