// The forms of instructions: types and operands told from a parsed instruction, in the way that most families need.
#pragma once

#include "emulator/lowering/lowering.hpp"

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace kiln::emulator {

/// The n-th type among the modifiers ("set.eq.u32.s16": u32, s16). Refuses the text where there is none.
ptx::Type type_of(const Lowering& low, std::size_t n = 0);
/// Refuses a text with fewer or more operands.
void expect_operands(const Lowering& low, std::size_t least, std::size_t most);
inline void expect_operands(const Lowering& low, std::size_t count) { expect_operands(low, count, count); }
/// Lowering::refuse, in a way that gcc knows not to return.
[[noreturn]] void refuse(const Lowering& low, const std::string& message);
/// Refuses the text: types and modifiers do not go together.
[[noreturn]] void refuse_types(const Lowering& low);

/// Emits the handler's step, with a destination and sources of these types, in the order of the text. A null handler
/// refuses the text.
Step& emit_lanewise(Lowering& low, Handler handler, ptx::Type destination, std::initializer_list<ptx::Type> sources);

/// "d|p": both destinations, of which the second may be missing.
struct DestinationPair {
  const ptx::Operand& first;
  const ptx::Operand* second;
};
DestinationPair destination_pair(const ptx::Operand& operand);

/// All rows of several files of one family, as one list that lives on.
std::vector<InstructionRow> united(std::initializer_list<std::span<const InstructionRow>> parts);

}  // namespace kiln::emulator
