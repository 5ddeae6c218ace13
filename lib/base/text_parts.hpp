// Texts taken apart at a character.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Takes off `text` what stands before the first separator, and the separator; all of it where there is none.
std::string_view next_part(std::string_view& text, char separator);

/// Takes off the first line; without its end.
inline std::string_view next_line(std::string_view& text) { return next_part(text, '\n'); }

/// `part` is not empty. memmem, as find stops at each first character of `part`, of which generated texts have many.
inline bool contains(std::string_view text, std::string_view part) {
  return ::memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
}

/// Without the blanks at its beginning and end.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n");

/// The parts that are not empty.
std::vector<std::string> split(std::string_view list, char separator);

/// A byte order mark may stand at a file's very beginning only, and not every compiler takes it there.
constexpr std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.substr(0, mark.size()) == mark ? text.substr(mark.size()) : text;
}

}  // namespace kiln
