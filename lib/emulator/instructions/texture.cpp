#include "emulator/machine/lowering.hpp"

namespace kiln::emulator {

std::span<const InstructionRow> texture_rows() { return {}; }

}  // namespace kiln::emulator
