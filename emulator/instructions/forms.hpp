// The forms of instructions: helpers of most families to read types and operands of a parsed instruction.
#pragma once

#include "emulator/lowering/lowering.hpp"

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace kiln::emulator {

/// The n-th type among the modifiers ("set.eq.u32.s16": u32, s16). Refuses the text if there is none.
ptx::Type type_of(const Lowering& lowering, std::size_t n = 0);
/// Refuses a text with fewer or more operands.
void expect_operands(const Lowering& lowering, std::size_t least, std::size_t most);
inline void expect_operands(const Lowering& lowering, std::size_t count) { expect_operands(lowering, count, count); }
/// Lowering::refuse, in a form that gcc knows not to return.
[[noreturn]] void refuse(const Lowering& lowering, const std::string& message);
/// Refuses the text: wrong combination of types and modifiers.
[[noreturn]] void refuse_types(const Lowering& lowering);

/// Refuses the text: the target has no such instruction.
[[noreturn]] void refuse_target(const Lowering& lowering);

/// Emits a step with a destination and sources of these types, in the order of the text. Refuses the text if the
/// handler is null.
Step& emit_lanewise(Lowering& lowering, Handler handler, ptx::Type destination,
                    std::initializer_list<ptx::Type> sources);

/// "d|p": both destinations; the second one is optional.
struct DestinationPair {
  const ptx::Operand& first;
  const ptx::Operand* second;
};
DestinationPair destination_pair(const ptx::Operand& operand);

/// The number of a wait_group: how many of the latest groups may be incomplete after it.
std::int64_t pending_groups(const ptx::Instruction& instruction);

/// The elements of a vector, or the operand itself.
std::span<const ptx::Operand> elements_of(const ptx::Operand& operand);

/// Concatenates the rows of several files.
std::vector<InstructionRow> united(std::initializer_list<std::span<const InstructionRow>> parts);

}  // namespace kiln::emulator
