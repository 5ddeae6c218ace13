#include "emulator/machine/lowering.hpp"

namespace kiln::emulator {

std::span<const InstructionRow> integer_rows() { return {}; }

}  // namespace kiln::emulator
