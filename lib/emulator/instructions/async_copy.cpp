#include "emulator/machine/lowering.hpp"

namespace kiln::emulator {

std::span<const InstructionRow> async_rows() { return {}; }

}  // namespace kiln::emulator
