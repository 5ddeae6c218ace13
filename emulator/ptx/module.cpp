#include "emulator/ptx/module.hpp"

#include "base/text_parts.hpp"
#include "emulator/ptx/parse.hpp"

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

namespace kiln::emulator {

std::string_view line_text(std::string_view text, std::size_t line) {
  std::string_view found;
  for (std::size_t i = 0; i < line; ++i) found = next_line(text);
  return trimmed(found);
}

void throw_line_error(const ptx::Module& module, std::size_t line, const std::string& message,
                      const std::vector<std::string>& source_places) {
  std::string text = "ptxas application ptx input, line " + std::to_string(line) + "; error   : " + message;
  const std::string_view shown = line_text(*module.text, line);
  if (!shown.empty()) text += "\n    " + std::string(shown);
  for (const std::string& place : source_places) text += "\n    " + place;
  throw ptx::ParseError(line, text, message);
}

}  // namespace kiln::emulator
