// The words of a line of a source, and the tokens of a text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The words outside of comments and literals, in order: views into the line.
std::vector<std::string_view> words_of_line(std::string_view line);

/// Whether the line has the word, outside of comments and literals.
bool has_word_in(std::string_view line, std::string_view word);

/// The first character behind a word of words_of_line() that is no blank; a blank at the line's end.
char character_behind(std::string_view line, std::string_view word);

/// The tokens of a source outside of comments and directives, in order and without blanks: views into it. Each mark is
/// one of its own, so that "::" is two.
std::vector<std::string_view> code_tokens(std::string_view source);

/// The index of the bracket that closes the one at `open`; the number of tokens where none does.
std::size_t closing_bracket(const std::vector<std::string_view>& tokens, std::size_t open);

/// From the first token's beginning to the last one's end, with one blank for many.
std::string text_between(std::string_view first, std::string_view last);

}  // namespace kiln
