// wgmma.mma_async.
#pragma once

#include "emulator/lowering/lowering.hpp"

namespace kiln::emulator {

void lower_group_product(const ptx::Instruction& instruction, Lowering& lowering);

}  // namespace kiln::emulator
