// Checks an instruction's modifiers, types and operands against the grammar of PTX.
#pragma once

#include "emulator/lowering/lowering.hpp"
#include "emulator/ptx/module.hpp"

#include <string>
#include <string_view>
#include <unordered_map>

namespace kiln::emulator {

struct SpelledForms;

/// Remembers what only depends on an instruction's spelling ("add.s32"). One object per module, to whose text it
/// refers. Implemented in instructions/grammar.
class FormCheck {
 public:
  explicit FormCheck(const ptx::Module& module) : module_(module) {}

  /// As lowering_of() and target_fault(). The opcode must not be empty.
  LowerFunction lowering(const ptx::Instruction& instruction) { return spelling(instruction).lower; }
  std::string target_fault(const ptx::Instruction& instruction);
  /// The error, worded as by ptxas; empty for a valid instruction, and for an opcode that the grammar does not have.
  /// Throws Unsupported for what ptxas takes though no manual describes it.
  std::string fault(const ptx::Instruction& instruction);

 private:
  struct Spelling {
    LowerFunction lower = nullptr;
    const SpelledForms* forms = nullptr;
    bool may_lack_target = false;
  };
  const Spelling& spelling(const ptx::Instruction& instruction);

  const ptx::Module& module_;
  std::unordered_map<std::string_view, Spelling> known_;
  const ptx::Instruction* last_ = nullptr;
  const Spelling* last_spelling_ = nullptr;
};

/// Whether a register may be an operand of that type: of its size (or larger, for ld, st and cvt), bits with all types,
/// integers and f16x2 with integers, floating-point with its own type.
bool register_has(ptx::Type declared, std::string_view type, bool may_be_wider);
bool is_type_word(std::string_view modifier);

}  // namespace kiln::emulator
