#include "compile/compiler/line_words.hpp"

#include "base/source_token.hpp"
#include "base/text_parts.hpp"

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

}  // namespace kiln
