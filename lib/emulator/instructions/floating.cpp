#include "emulator/machine/lowering.hpp"

namespace kiln::emulator {

std::span<const InstructionRow> float_rows() { return {}; }

}  // namespace kiln::emulator
