// Instructions that the emulator does not support.
#pragma once

#include "emulator/machine/warp.hpp"

#include <string_view>

namespace kiln::emulator {

/// A handler that stops the kernel. The data of the step is a std::string that names what is not supported.
void stop_unsupported(const Step& step, Warp& warp, LaneMask active);

/// Whether the PTX ISA has an instruction of that name.
bool is_known_opcode(std::string_view opcode);

}  // namespace kiln::emulator
