// Whether the grammar of PTX has an instruction as it is written: its modifiers, types and operands.
#pragma once

#include "emulator/ptx/module.hpp"

#include <string>
#include <string_view>
#include <unordered_map>

namespace kiln::emulator {

struct SpelledForms;

/// Remembers which forms a spelling has ("add.s32"): one for each module, whose text it refers to. Implemented in
/// instructions/grammar.
class FormCheck {
 public:
  /// What is wrong, worded as ptxas words it; empty for a right instruction, and for an opcode without a grammar.
  std::string fault(const ptx::Instruction& instruction);

 private:
  std::unordered_map<std::string_view, const SpelledForms*> known_;
};

/// Whether a register may be an operand of that type: of its size (or larger, for ld, st and cvt), bits with all types,
/// integers with integers, floating-point with its own type.
bool register_has(ptx::Type declared, std::string_view type, bool may_be_wider);
bool is_type_word(std::string_view modifier);

}  // namespace kiln::emulator
