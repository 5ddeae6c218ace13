// Addresses of the lanes as values: for instructions with several address operands.
#pragma once

#include "emulator/lowering/lowering.hpp"

namespace kiln::emulator {

/// Emits a step that computes the addresses of the operand, in its own space: 64-bit values.
struct AddressValues {
  Slot slot;
  ptx::Space space = ptx::Space::none;  // the stated one, or that of the variable which the operand names
};
AddressValues address_values(const ptx::Operand& operand, ptx::Space space, Lowering& lowering);

}  // namespace kiln::emulator
