#include "emulator/machine/lowering.hpp"

namespace kiln::emulator {

std::span<const InstructionRow> conversion_rows() { return {}; }

}  // namespace kiln::emulator
