// The words of a line of a source.
#pragma once

#include <string_view>
#include <vector>

namespace kiln {

/// The words outside of comments and literals, in order: views into the line.
std::vector<std::string_view> words_of_line(std::string_view line);

/// Whether the line has the word, outside of comments and literals.
bool has_word_in(std::string_view line, std::string_view word);

/// The first character behind a word of words_of_line() that is no blank; a blank at the line's end.
char character_behind(std::string_view line, std::string_view word);

}  // namespace kiln
