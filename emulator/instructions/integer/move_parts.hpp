// The rest of the move instructions.
#pragma once

#include "emulator/lowering/lowering.hpp"

namespace kiln::emulator {

std::span<const InstructionRow> permute_rows();  // permute.cpp: prmt

}  // namespace kiln::emulator
