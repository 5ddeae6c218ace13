#include "emulator/ptx/module.hpp"

namespace kiln::emulator::ptx {

bool Instruction::has(std::string_view modifier) const {
  for (const std::string_view each : modifiers)
    if (each == modifier) return true;
  return false;
}

}  // namespace kiln::emulator::ptx
