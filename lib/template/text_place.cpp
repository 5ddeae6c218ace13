#include "template/text_place.hpp"

#include <algorithm>

namespace kiln {

std::string place_text(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  return "line " + std::to_string(std::count(before.begin(), before.end(), '\n') + 1) + ", column " +
         std::to_string(offset - line_begin + 1);
}

}  // namespace kiln
