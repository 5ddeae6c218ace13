#include "emulator/machine/lowering.hpp"

namespace kiln::emulator {

std::span<const InstructionRow> warp_rows() { return {}; }

}  // namespace kiln::emulator
