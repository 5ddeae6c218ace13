// The family warp, by file.
#pragma once

#include "emulator/lowering/lowering.hpp"
#include "emulator/machine/warp.hpp"

#include <initializer_list>

namespace kiln::emulator {

std::span<const InstructionRow> shuffle_rows();  // shuffle.cpp: shfl

/// Emits a step that lanes execute together. The last operand is the member mask. `members` is null for the forms
/// before Volta (no .sync), which use the active lanes.
Step& emit_together(Lowering& lowering, Handler handler, std::initializer_list<Slot> slots,
                    const ptx::Operand* members);

/// The same for instructions of all lanes of the warp (.aligned).
Step& emit_by_all(Lowering& lowering, Handler handler, std::initializer_list<Slot> slots);

/// The operand that is the member mask of a .sync form, or null. Refuses a form without .sync if PTX has none.
const ptx::Operand* members_of(const Lowering& lowering);

}  // namespace kiln::emulator
