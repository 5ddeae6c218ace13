// Fences: an acquire is a load and a fence behind it, a release a fence and a store behind that.
#pragma once

#include "emulator/lowering/lowering.hpp"

namespace kiln::emulator {

/// Emits a fence as strong as any, if `wanted`.
void emit_fence(Lowering& lowering, bool wanted = true);
/// Whether the instruction's semantics begin with a fence (release, acq_rel), or end with one (acquire, acq_rel).
bool releases(const ptx::Instruction& instruction);
bool acquires(const ptx::Instruction& instruction);

/// Lowers fence, fence.proxy..., membar.
void lower_fence(const ptx::Instruction& instruction, Lowering& lowering);

}  // namespace kiln::emulator
