#include "emulator/ptx/line_error.hpp"

#include "base/text_parts.hpp"
#include "emulator/ptx/parse.hpp"

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
