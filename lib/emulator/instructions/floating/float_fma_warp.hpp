// fma.rn.f32, the most frequent instruction, for a whole warp at a time.
#pragma once

#include "emulator/machine/step.hpp"

namespace kiln::emulator {

/// The handler of fma.rn.f32 without other modifiers, or null if the processor has no such instruction.
Handler fma_by_processor();

}  // namespace kiln::emulator
