// Lists of words, each written as one text with blanks between.
#pragma once

#include "base/text_parts.hpp"

#include <string_view>

namespace kiln {

/// Whether `fits` holds for one of the words.
template <class Fits>
bool any_word(std::string_view list, const Fits& fits) {
  while (!list.empty())
    if (const std::string_view word = next_part(list, ' '); !word.empty() && fits(word)) return true;
  return false;
}

inline bool has_word(std::string_view list, std::string_view wanted) {
  return any_word(list, [wanted](std::string_view word) { return word == wanted; });
}

/// Whether the text begins with one of the words.
inline bool begins_with_any(std::string_view text, std::string_view list) {
  return any_word(list, [text](std::string_view word) { return text.starts_with(word); });
}

}  // namespace kiln
