#include "emulator/machine/lowering.hpp"

namespace kiln::emulator {

std::span<const InstructionRow> memory_rows() { return {}; }

}  // namespace kiln::emulator
