#include "base/escaped_text.hpp"

#include <algorithm>

namespace kiln {

std::string escaped_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string line_name(std::string_view name) {
  std::string result = escaped_text(name);
  std::replace(result.begin(), result.end(), '\n', ' ');
  return result;
}

}  // namespace kiln
