// Characters of UTF-8 in texts that may be none.
#pragma once

#include <cstddef>
#include <string_view>

namespace kiln {

struct Utf8Character {
  std::size_t length = 0;  // in bytes; 0: the text does not begin with a character
  unsigned code = 0;       // its code point
};

/// The character at the front of a text that is not empty.
Utf8Character first_character(std::string_view text);

/// The largest place up to `at` that is not inside a character.
std::size_t character_border(std::string_view text, std::size_t at);

}  // namespace kiln
