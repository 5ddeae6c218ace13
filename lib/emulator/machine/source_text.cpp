#include "emulator/machine/source_text.hpp"

#include "base/escaped_text.hpp"
#include "base/text_parts.hpp"

#include <fstream>
#include <string_view>

namespace kiln::emulator {
namespace {

constexpr std::string_view source_mark = "//kiln-source ", line_mark = "//|";

std::optional<std::string> embedded_line(std::string_view text, std::string_view name, std::uint32_t line) {
  for (std::size_t at = text.find(source_mark); at != text.npos; at = text.find(source_mark, at + 1)) {
    std::string_view rest = text.substr(at + source_mark.size());
    if (unescaped(next_line(rest)) != name) continue;
    std::string_view found;
    for (std::uint32_t i = 0; i < line; ++i) {
      found = next_line(rest);
      if (!found.starts_with(line_mark)) return std::nullopt;
    }
    return std::string(found.substr(line_mark.size()));
  }
  return std::nullopt;
}

std::optional<std::string> line_of_file(const std::string& path, std::uint32_t line) {
  std::ifstream file(path);
  std::string text;
  for (std::uint32_t i = 0; i < line; ++i)
    if (!std::getline(file, text)) return std::nullopt;
  return text;
}

}  // namespace

std::optional<std::string> source_line(const ptx::Module& module, std::uint32_t file, std::uint32_t line) {
  const auto name = module.files.find(file);
  if (name == module.files.end() || line == 0) return std::nullopt;
  if (auto embedded = embedded_line(*module.text, name->second, line)) return embedded;
  return line_of_file(name->second, line);
}

}  // namespace kiln::emulator
