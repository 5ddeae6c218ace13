#include "emulator/machine/lowering.hpp"

namespace kiln::emulator {

std::span<const InstructionRow> atomic_rows() { return {}; }

}  // namespace kiln::emulator
