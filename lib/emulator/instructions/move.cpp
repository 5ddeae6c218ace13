#include "emulator/machine/lowering.hpp"

namespace kiln::emulator {

std::span<const InstructionRow> move_rows() { return {}; }

}  // namespace kiln::emulator
