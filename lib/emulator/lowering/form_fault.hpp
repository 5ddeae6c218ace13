// Checks an instruction's modifiers, types and operands against the grammar of PTX.
#pragma once

#include "emulator/ptx/module.hpp"

#include <string>
#include <string_view>
#include <unordered_map>

namespace kiln::emulator {

struct SpelledForms;

/// Remembers the forms of a spelling ("add.s32"). One object per module, to whose text it refers. Implemented in
/// instructions/grammar.
class FormCheck {
 public:
  /// The error, worded as by ptxas; empty for a valid instruction, and for an opcode that the grammar does not have.
  /// Throws Unsupported for what ptxas takes though no manual describes it.
  std::string fault(const ptx::Instruction& instruction);

 private:
  std::unordered_map<std::string_view, const SpelledForms*> known_;
};

/// Whether a register may be an operand of that type: of its size (or larger, for ld, st and cvt), bits with all types,
/// integers and f16x2 with integers, floating-point with its own type.
bool register_has(ptx::Type declared, std::string_view type, bool may_be_wider);
bool is_type_word(std::string_view modifier);

}  // namespace kiln::emulator
