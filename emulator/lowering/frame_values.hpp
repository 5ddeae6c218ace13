// Handlers that compute operands which are neither registers nor constants.
#pragma once

#include "emulator/machine/warp.hpp"

namespace kiln::emulator {

/// Operand 0 = not operand 1 (predicates).
void negate_predicate(const Step& step, Warp& warp, LaneMask active);

// Operand 0, of small[0] bytes, = step.value + the offset of ...
/// ... the block's dynamic shared memory;
void add_dynamic_shared(const Step& step, Warp& warp, LaneMask active);
/// ... the frame's local memory.
void add_local_base(const Step& step, Warp& warp, LaneMask active);

}  // namespace kiln::emulator
