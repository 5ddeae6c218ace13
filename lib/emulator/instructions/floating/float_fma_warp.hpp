// fma.rn.f32, the instruction that most kernels are made of, for a whole warp at a time.
#pragma once

#include "emulator/machine/step.hpp"

namespace kiln::emulator {

/// The handler for this processor, or null where it has no such instruction: fma.rn.f32 without other modifiers.
Handler fma_by_processor();

}  // namespace kiln::emulator
