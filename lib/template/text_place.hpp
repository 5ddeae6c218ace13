// Where something is in a text, as people say it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace kiln {

/// "line 3, column 14": both from 1; a column is a byte.
inline std::string place_text(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  return "line " + std::to_string(std::count(before.begin(), before.end(), '\n') + 1) + ", column " +
         std::to_string(offset - line_begin + 1);
}

/// A source location that is computed only for an error, because that reads the text up to it.
struct UsePlace {
  std::string_view subject;  // "substitute"
  std::string_view text;
  std::size_t offset;
  /// "substitute: at line 3, column 14 "
  std::string said() const { return std::string(subject) + ": at " + place_text(text, offset) + " "; }
};

}  // namespace kiln
