// Fences: an acquire is a load followed by a fence, a release a fence followed by a store.
#pragma once

#include "emulator/lowering/lowering.hpp"

namespace kiln::emulator {

/// Emits a sequentially consistent fence, if `wanted`.
void emit_fence(Lowering& lowering, bool wanted = true);
/// Whether the instruction begins with a fence (release, acq_rel), or ends with one (acquire, acq_rel).
bool releases(const ptx::Instruction& instruction);
bool acquires(const ptx::Instruction& instruction);

/// Lowers fence, fence.proxy..., membar.
void lower_fence(const ptx::Instruction& instruction, Lowering& lowering);

}  // namespace kiln::emulator
