// Which architectures an instruction needs, by its form.
#pragma once

#include "emulator/ptx/module.hpp"

#include <string>

namespace kiln::emulator {

/// Why the module's .target has no such instruction, worded as ptxas words it: "Feature 'cp.async' requires .target
/// sm_80 or higher". Empty if it has it, and for what ptxas refuses for other reasons.
std::string target_fault(const ptx::Instruction& instruction, const ptx::Module& module);
/// False if target_fault() is empty whatever the operands are.
bool may_lack_target(const ptx::Instruction& instruction, const ptx::Module& module);
/// target_fault() for the directives of a kernel.
std::string target_fault(const ptx::Directives& directives, const ptx::Module& module);

}  // namespace kiln::emulator
