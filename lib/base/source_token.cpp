#include "base/source_token.hpp"

#include <algorithm>

namespace kiln {

namespace {

using Kind = SourceTokenKind;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r'; }

SourceToken line_comment(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && text[end] != '\n') end += std::max<std::size_t>(1, splice_size(text, end));
  return {Kind::comment, end - at};
}

SourceToken block_comment(std::string_view text, std::size_t at) {
  const std::size_t end = text.find("*/", at + 2);
  if (end == std::string_view::npos) return {Kind::comment, text.size() - at, false};
  return {Kind::comment, end + 2 - at};
}

SourceToken literal(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != text[at] && text[end] != '\n') {
    if (text[end] != '\\')
      ++end;
    else
      end += std::max<std::size_t>(2, splice_size(text, end));
  }
  end = std::min(end, text.size());
  const bool closed = end < text.size() && text[end] == text[at];
  return {Kind::literal, end + (closed ? 1 : 0) - at, closed};
}

/// `quote` is where the literal's first quote is.
SourceToken raw_literal(std::string_view text, std::size_t at, std::size_t quote) {
  constexpr std::size_t longest_mark = 16;
  const std::string_view head = text.substr(quote + 1, longest_mark + 1);
  const std::size_t open = head.find_first_of("( )\\\t\v\f\n\"");
  if (open == std::string_view::npos || head[open] != '(') return {Kind::raw_literal, quote + 1 - at, false};
  const std::string_view mark = head.substr(0, open);
  for (std::size_t end = text.find(')', quote); end != std::string_view::npos; end = text.find(')', end + 1)) {
    const std::string_view rest = text.substr(end + 1, mark.size() + 1);
    if (rest.size() > mark.size() && rest.back() == '"' && rest.substr(0, mark.size()) == mark)
      return {Kind::raw_literal, end + 2 + mark.size() - at};
  }
  return {Kind::raw_literal, text.size() - at, false};
}

SourceToken word(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_of_word(text[end])) ++end;
  const std::string_view name = text.substr(at, end - at);
  const bool is_before_quote = end < text.size() && text[end] == '"';
  if (is_before_quote && (name == "R" || name == "LR" || name == "uR" || name == "UR" || name == "u8R"))
    return raw_literal(text, at, end);
  return {Kind::word, end - at};
}

SourceToken number(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && (is_of_word(text[end]) || text[end] == '.' ||
                               (text[end] == '\'' && end + 1 < text.size() && is_of_word(text[end + 1]))))
    ++end;
  return {Kind::number, end - at};
}

}  // namespace

std::size_t splice_size(std::string_view text, std::size_t at) {
  if (text[at] != '\\') return 0;
  std::size_t end = at + 1;
  while (end < text.size() && is_blank(text[end])) ++end;
  return end < text.size() && text[end] == '\n' ? end + 1 - at : 0;
}

SourceToken source_token(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '\n') return {Kind::newline, 1};
  if (is_blank(c)) return {Kind::blank, 1};
  if (is_digit(c)) return number(text, at);
  if (is_of_word(c)) return word(text, at);
  if (c == '"' || c == '\'') return literal(text, at);
  if (const std::size_t size = splice_size(text, at); size != 0) return {Kind::splice, size};
  const std::string_view two = text.substr(at, 2);
  if (two == "//") return line_comment(text, at);
  if (two == "/*") return block_comment(text, at);
  return {Kind::mark, 1};
}

}  // namespace kiln
