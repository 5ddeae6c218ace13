#include "emulator/machine/lowering.hpp"

namespace kiln::emulator {

std::span<const InstructionRow> comparison_rows() { return {}; }

}  // namespace kiln::emulator
