// Which forms of an opcode an instruction's modifiers fit, and the message if they fit none.
#pragma once

#include "emulator/instructions/grammar/forms_of.hpp"
#include "emulator/ptx/module.hpp"

#include <string>
#include <vector>

namespace kiln::emulator {

/// Empty for an opcode that the grammar does not have.
const std::vector<const InstructionForm*>& forms_of_opcode(std::string_view opcode);

bool takes_modifiers(const InstructionForm& form, const ptx::Instruction& instruction);

/// Names the modifier that is wrong or missing, or the types if it is they.
std::string modifier_fault(const ptx::Instruction& instruction);

}  // namespace kiln::emulator
