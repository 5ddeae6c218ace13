// Numbers as PTX writes them: "12", "0x1FU", "017", "0b11", "0f3F800000", "0d3FF0000000000000", "1.5e3".
#pragma once

#include "emulator/ptx/constants.hpp"
#include "emulator/ptx/cursor.hpp"

namespace kiln::emulator::ptx {

/// Reads a number without a sign. The next character must be a digit or a dot.
Constant literal(Cursor& at);

}  // namespace kiln::emulator::ptx
