// Numbers as PTX writes them: "12", "0x1FU", "017", "0b11", "0f3F800000", "0d3FF0000000000000", "1.5e3".
#pragma once

#include "emulator/ptx/constants.hpp"
#include "emulator/ptx/cursor.hpp"

namespace kiln::emulator::ptx {

/// The number that stands here, without a sign; a digit or a dot is next.
Constant literal(Cursor& at);

}  // namespace kiln::emulator::ptx
