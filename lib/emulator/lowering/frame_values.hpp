// Steps that make an operand's value where it is no register and no constant.
#pragma once

#include "emulator/machine/warp.hpp"

namespace kiln::emulator {

/// Operand 0 becomes the opposite of operand 1.
void negate_predicate(const Step& step, Warp& warp, LaneMask active);

// Operand 0, of small[0] bytes, becomes step.value behind ...
/// ... the block's dynamic shared memory;
void add_dynamic_shared(const Step& step, Warp& warp, LaneMask active);
/// ... the frame's local memory.
void add_local_base(const Step& step, Warp& warp, LaneMask active);

}  // namespace kiln::emulator
