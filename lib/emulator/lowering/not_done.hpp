// Instructions that the emulator does not do.
#pragma once

#include "emulator/machine/warp.hpp"

#include <string_view>

namespace kiln::emulator {

/// Stops the kernel that comes there; the step's data is a std::string that says what is not done.
void stop_not_done(const Step& step, Warp& warp, LaneMask active);

/// Whether the PTX ISA has an instruction of that name.
bool is_known_opcode(std::string_view opcode);

}  // namespace kiln::emulator
