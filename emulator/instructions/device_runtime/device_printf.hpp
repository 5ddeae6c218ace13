// printf of kernels.
#pragma once

#include "emulator/instructions/device_runtime/builtin.hpp"

#include <cstdint>
#include <string>

namespace kiln::emulator {

/// Appends the output of printf. The arguments are at `arguments`, one after the other, each with its own alignment.
/// Returns the result of CUDA's printf: the number of arguments that the format used, or -1 without a format.
std::int32_t device_printf(const LaneMemory& memory, std::uint64_t format, std::uint64_t arguments, std::string& to);

}  // namespace kiln::emulator
