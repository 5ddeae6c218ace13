// The family control, by file.
#pragma once

#include "emulator/lowering/lowering.hpp"

namespace kiln::emulator {

/// A handler: the active lanes jump to step.value.
void branch(const Step& step, Warp& warp, LaneMask active);

void lower_brx(const ptx::Instruction& instruction, Lowering& lowering);         // indirect_branch.cpp
void lower_call(const ptx::Instruction& instruction, Lowering& lowering);        // call.cpp
void lower_barrier(const ptx::Instruction& instruction, Lowering& lowering);     // barrier.cpp
void lower_getctarank(const ptx::Instruction& instruction, Lowering& lowering);  // cluster.cpp
void lower_mapa(const ptx::Instruction& instruction, Lowering& lowering);
void lower_alloca(const ptx::Instruction& instruction, Lowering& lowering);  // stack.cpp
void lower_stacksave(const ptx::Instruction& instruction, Lowering& lowering);
void lower_stackrestore(const ptx::Instruction& instruction, Lowering& lowering);

}  // namespace kiln::emulator
