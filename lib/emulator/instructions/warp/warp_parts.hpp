// What the warp-wide family's files share.
#pragma once

#include "emulator/lowering/lowering.hpp"
#include "emulator/machine/warp.hpp"

#include <initializer_list>

namespace kiln::emulator {

std::span<const InstructionRow> shuffle_rows();  // shuffle.cpp: shfl

/// Emits a step for lanes that come together; its last operand is the member mask. `members` is null for the forms of
/// before Volta (no .sync), which do with the lanes that are there.
Step& emit_together(Lowering& low, Handler handler, std::initializer_list<Slot> slots, const ptx::Operand* members);

/// The same for what all lanes of the warp do together (.aligned).
Step& emit_by_all(Lowering& low, Handler handler, std::initializer_list<Slot> slots);

/// The operand that is the member mask of a .sync form, or null.
const ptx::Operand* members_of(const ptx::Instruction& instruction);

}  // namespace kiln::emulator
