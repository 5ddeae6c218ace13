// Fences (an acquire is a load followed by a fence, a release a fence followed by a store), and values of addresses.
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

/// Emits a step that computes the addresses of the operand, in its own space: 64-bit values.
struct AddressValues {
  Slot slot;
  ptx::Space space = ptx::Space::none;  // the stated one, or that of the variable which the operand names
};
AddressValues address_values(const ptx::Operand& operand, ptx::Space space, Lowering& lowering);

}  // namespace kiln::emulator
