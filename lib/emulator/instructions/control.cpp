#include "emulator/machine/lowering.hpp"

namespace kiln::emulator {

std::span<const InstructionRow> control_rows() { return {}; }

}  // namespace kiln::emulator
