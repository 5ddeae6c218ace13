// The rest of the logic instructions.
#pragma once

#include "emulator/lowering/lowering.hpp"

namespace kiln::emulator {

std::span<const InstructionRow> shift_rows();  // shift.cpp: shl, shr, shf

}  // namespace kiln::emulator
