#include "compile/headers/late_defines.hpp"

#include "base/argument_error.hpp"
#include "base/escaped_text.hpp"
#include "base/identifier.hpp"
#include "base/source_token.hpp"
#include "compile/headers/leading_lines.hpp"

#include <algorithm>

namespace kiln {

namespace {

bool is_word_at(std::string_view text, std::size_t at, std::size_t size) {
  return (at == 0 || !is_of_word(text[at - 1])) && (at + size == text.size() || !is_of_word(text[at + size]));
}

/// Also in a comment or a literal.
bool may_have_word(std::string_view text, std::string_view word) {
  std::size_t at = text.find(word);
  while (at != std::string_view::npos && !is_word_at(text, at, word.size())) at = text.find(word, at + 1);
  return at != std::string_view::npos;
}

}  // namespace

std::string_view macro_word(std::string_view name) { return name.substr(0, name.find('(')); }

bool is_macro_name(std::string_view word) noexcept {
  const auto is_odd = [](char c) { return c == '$' || (c & '\x80') != 0; };
  return !word.empty() && (begins_identifier(word.front()) || is_odd(word.front())) &&
         std::all_of(word.begin(), word.end(), [&](char c) { return is_of_identifier(c) || is_odd(c); });
}

std::vector<std::string> late_words(const CompilerJob& job) {
  std::vector<std::string> words;
  for (const auto& macro : job.late_defines) words.emplace_back(macro_word(macro.first));
  return words;
}

std::string late_define_lines(const CompilerJob& job) {
  std::string lines;
  for (const auto& [name, value] : job.late_defines)
    lines.append("#define ").append(name).append(" ").append(value).append("\n");
  return lines;
}

std::string late_define_text(const CompilerJob& job) {
  std::string text;
  for (const auto& [name, value] : job.late_defines) text.append(" ").append(name).append("=").append(value);
  return text;
}

std::string with_own_lines(const CompilerJob& job, std::string_view source) {
  if (job.late_defines.empty() && job.line_file.empty()) return std::string(source);
  const LeadingLines leading = leading_lines(source);
  const std::string& name = job.line_file.empty() ? job.name : job.line_file;
  const std::string file = leading.file.empty() ? line_name(name) : leading.file;
  std::string text(source.substr(0, leading.size));
  if (!job.late_defines.empty()) text += "#line 1 \"late_defines\"\n" + late_define_lines(job);
  text += "#line " + std::to_string(leading.line) + " " + file + "\n";
  return text.append(source.substr(leading.size));
}

std::optional<std::size_t> line_of_word(std::string_view text, std::string_view word) {
  if (!may_have_word(text, word)) return std::nullopt;
  for (std::size_t at = 0; at < text.size();) {
    const SourceToken token = source_token(text, at);
    if (token.kind == SourceTokenKind::word && text.substr(at, token.size) == word)
      return 1 +
             static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    at += token.size;
  }
  return std::nullopt;
}

void refuse_late_define(std::string_view name, const std::string& text_name, std::size_t line) {
  throw_argument_error(
      "late_defines: \"" + std::string(name) + "\" is a word of " + text_name + ", line " + std::to_string(line) +
          ", where the macro would not be defined, or would change what is read: give it another name, " +
          "or put it among defines",
      "a name that no header has", std::string(name));
}

}  // namespace kiln
