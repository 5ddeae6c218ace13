// C++ source texts, token by token, as far as one must know where comments and literals are.
#pragma once

#include <cstddef>
#include <string_view>

namespace kiln {

enum class SourceTokenKind {
  blank,
  newline,
  splice,   // a backslash at the end of a line, with that end: the next line goes on
  comment,  // a line comment without its end
  word,
  number,
  literal,      // characters in quotes, without a prefix that is a word
  raw_literal,  // with its prefix
  mark,         // any other character
};

struct SourceToken {
  SourceTokenKind kind;
  std::size_t size;  // at least 1
  /// Of comments and literals: whether they end; those of one line end with it.
  bool is_closed = true;
};

/// The token that begins at `at`, which must lie in the text. Any bytes are taken.
SourceToken source_token(std::string_view text, std::size_t at);

}  // namespace kiln
