// What the instructions of memory share, and who lowers which.
#pragma once

#include "emulator/lowering/lowering.hpp"

#include <cstdint>
#include <vector>

namespace kiln::emulator {

/// Refuses an instruction with fewer operands.
void need_operands(const ptx::Instruction& instruction, Lowering& lowering, std::size_t count);
/// The type that the instruction ends with.
ptx::Type memory_type(const ptx::Instruction& instruction, Lowering& lowering);
/// Refuses a list of operands that is not as long as .v2, .v4 or .v8 says.
void check_vector(const ptx::Instruction& instruction, Lowering& lowering, std::size_t count);
/// The elements of a vector that is loaded or stored, all of one size, which goes to `register_size`.
std::vector<Slot> vector_destinations(const ptx::Operand& vector, ptx::Type type, unsigned& register_size,
                                      Lowering& lowering);
std::vector<Slot> vector_sources(const ptx::Operand& vector, ptx::Type type, unsigned& register_size,
                                 Lowering& lowering);

/// Whether the instruction touches more of a parameter that it names than there is; then its step stops the kernel.
/// ptxas takes such a text, too, and what lies behind the parameter is anything.
bool beyond_parameter(const ptx::Operand& address, std::size_t bytes, Lowering& lowering);

void lower_load(const ptx::Instruction& instruction, Lowering& lowering);
void lower_store(const ptx::Instruction& instruction, Lowering& lowering);
void lower_cvta(const ptx::Instruction& instruction, Lowering& lowering);
void lower_isspacep(const ptx::Instruction& instruction, Lowering& lowering);
void lower_prefetch(const ptx::Instruction& instruction, Lowering& lowering);
void lower_discard(const ptx::Instruction& instruction, Lowering& lowering);
void lower_createpolicy(const ptx::Instruction& instruction, Lowering& lowering);

}  // namespace kiln::emulator
