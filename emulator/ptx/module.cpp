#include "emulator/ptx/module.hpp"

namespace kiln::emulator::ptx {

bool Instruction::has(std::string_view modifier) const {
  for (const std::string_view each : modifiers)
    if (each == modifier) return true;
  return false;
}

const Function* Module::function(std::string_view name) const {
  for (const Function& each : functions)
    if (each.name == name) return &each;
  return nullptr;
}

const Variable* Module::variable(std::string_view name) const {
  for (const Variable& each : variables)
    if (each.name == name) return &each;
  return nullptr;
}

}  // namespace kiln::emulator::ptx
