#include "compile/compiler/line_words.hpp"

#include "base/source_token.hpp"
#include "base/text_parts.hpp"
#include "base/word_list.hpp"

#include <algorithm>
#include <cstddef>

namespace kiln {

std::vector<std::string_view> words_of_line(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    const SourceToken token = source_token(line, at);
    if (token.kind == SourceTokenKind::word) words.push_back(line.substr(at, token.size));
    at += token.size;
  }
  return words;
}

bool has_word_in(std::string_view line, std::string_view word) {
  const auto words = words_of_line(line);
  return std::find(words.begin(), words.end(), word) != words.end();
}

char character_behind(std::string_view line, std::string_view word) {
  const std::string_view rest = trimmed(line.substr(static_cast<std::size_t>(word.data() - line.data()) + word.size()));
  return rest.empty() ? ' ' : rest.front();
}

std::vector<std::string_view> code_tokens(std::string_view source) {
  std::vector<std::string_view> tokens;
  bool begins_line = true;
  bool is_directive = false;
  for (std::size_t at = 0; at < source.size();) {
    const SourceToken token = source_token(source, at);
    const bool is_newline = token.kind == SourceTokenKind::newline;
    const bool is_code = !is_newline && token.kind != SourceTokenKind::blank &&
                         token.kind != SourceTokenKind::comment && token.kind != SourceTokenKind::splice;
    is_directive = !is_newline && (is_directive || (is_code && begins_line && source[at] == '#'));
    if (is_code && !is_directive) tokens.push_back(source.substr(at, token.size));
    begins_line = is_newline || (begins_line && !is_code);
    at += token.size;
  }
  return tokens;
}

std::size_t closing_bracket(const std::vector<std::string_view>& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (has_word("( [ {", tokens[i])) ++depth;
    if (has_word(") ] }", tokens[i]) && --depth == 0) return i;
  }
  return tokens.size();
}

std::string text_between(std::string_view first, std::string_view last) {
  std::string_view text(first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data()));
  std::string plain;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (!is_blank || plain.back() != ' ') plain += is_blank ? ' ' : c;
  }
  return plain;
}

}  // namespace kiln
