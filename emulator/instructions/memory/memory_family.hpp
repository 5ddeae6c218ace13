// Shared by the memory instructions; and the family memory, by file.
#pragma once

#include "emulator/instructions/forms.hpp"
#include "emulator/lowering/lowering.hpp"

#include <cstdint>
#include <vector>

namespace kiln::emulator {

/// The type at the end of the instruction.
ptx::Type memory_type(const ptx::Instruction& instruction, Lowering& lowering);
/// Refuses a vector whose length is not that of .v2, .v4 or .v8.
void check_vector(const ptx::Instruction& instruction, Lowering& lowering, std::size_t count);

/// The registers that ld writes or st reads: one, or the elements of a vector, all of the same size.
struct MemoryValues {
  std::vector<Slot> slots;
  unsigned register_size = 0;
  bool is_vector = false;
  /// Sets operand 0 of the step and, for a vector, `more`.
  void put(Step& step, Lowering& lowering) const;
};
/// Refuse a vector whose length is not that of .v2, .v4 or .v8.
MemoryValues loaded_values(const ptx::Operand& operand, ptx::Type type, Lowering& lowering);
MemoryValues stored_values(const ptx::Operand& operand, ptx::Type type, Lowering& lowering);

/// Whether the instruction accesses bytes after the parameter that it names. If so, emits a step that stops the
/// kernel: ptxas accepts such a text, and the bytes are undefined.
bool beyond_parameter(const ptx::Operand& address, std::size_t bytes, Lowering& lowering);

void lower_load(const ptx::Instruction& instruction, Lowering& lowering);
void lower_store(const ptx::Instruction& instruction, Lowering& lowering);
void lower_cvta(const ptx::Instruction& instruction, Lowering& lowering);
void lower_isspacep(const ptx::Instruction& instruction, Lowering& lowering);
void lower_prefetch(const ptx::Instruction& instruction, Lowering& lowering);
void lower_discard(const ptx::Instruction& instruction, Lowering& lowering);
void lower_createpolicy(const ptx::Instruction& instruction, Lowering& lowering);

}  // namespace kiln::emulator
