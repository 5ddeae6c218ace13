#include "emulator/machine/lowering.hpp"

namespace kiln::emulator {

std::span<const InstructionRow> logic_rows() { return {}; }

}  // namespace kiln::emulator
