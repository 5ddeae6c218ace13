#include "emulator/instructions/integer_parts.hpp"
namespace kiln::emulator {
std::span<const InstructionRow> video_rows() { return {}; }
}  // namespace kiln::emulator
