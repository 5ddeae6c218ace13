// Where a function's registers are in its frame.
#pragma once

#include "emulator/lowering/lowering.hpp"
#include "emulator/machine/code.hpp"

#include <cstdint>

namespace kiln::emulator {

constexpr std::uint64_t register_alignment = 64;  // size of a cache line, and of the widest vectors

/// Sets the places of the code's registers, and how many bytes of the frame must be zero at its beginning. Compilers
/// give each value a register of its own, thousands of them, most of which are soon read for the last time: such
/// registers share places, so that a frame fits in the processor's cache. Returns the end of the registers.
std::uint64_t place_registers(Code& code);

/// Emits a step that stores an operand, of the size of the place, to the parameter bytes of the frame ...
void store_param(Lowering& lowering, const ptx::Operand& operand, ptx::Type type, const ParamPlace& place);
/// ... or loads it from there.
void load_param(Lowering& lowering, const ptx::Operand& operand, ptx::Type type, const ParamPlace& place);

void load_register_params(Lowering& lowering, const Code& code);
void store_register_returns(Lowering& lowering, const Code& code);

}  // namespace kiln::emulator
