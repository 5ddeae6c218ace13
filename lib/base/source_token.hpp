// C++ source texts, token by token, as far as one must know where comments and literals are.
#pragma once

#include "base/identifier.hpp"

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

/// Whether words have the character: those of identifiers, and '$', which compilers take there, too.
constexpr bool is_of_word(char c) { return is_of_identifier(c) || c == '$'; }

/// Stands after a #line where what follows has a program's file and line, and is not the program's: errors may be
/// there, but messages do not show it.
inline constexpr std::string_view not_shown_mark = "  // generated";

/// The size of the splice that begins at `at`, 0 where none does.
std::size_t splice_size(std::string_view text, std::size_t at);

/// The token that begins at `at`, which must lie in the text. Any bytes are taken.
SourceToken source_token(std::string_view text, std::size_t at);

}  // namespace kiln
