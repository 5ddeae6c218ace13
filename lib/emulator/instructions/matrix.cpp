#include "emulator/machine/lowering.hpp"

namespace kiln::emulator {

std::span<const InstructionRow> matrix_rows() { return {}; }

}  // namespace kiln::emulator
