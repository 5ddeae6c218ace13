#include "template/text_place.hpp"

#include <algorithm>

namespace kiln {

TextPlace place_at(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  return {static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1, offset - line_begin + 1};
}

std::string place_text(std::string_view text, std::size_t offset) {
  const TextPlace place = place_at(text, offset);
  return "line " + std::to_string(place.line) + ", column " + std::to_string(place.column);
}

}  // namespace kiln
