#include "base/text_parts.hpp"

#include <algorithm>
#include <cstddef>

namespace kiln {

std::string_view next_part(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

std::vector<std::string> split(std::string_view list, char separator) {
  std::vector<std::string> parts;
  while (!list.empty())
    if (const std::string_view part = next_part(list, separator); !part.empty()) parts.emplace_back(part);
  return parts;
}

}  // namespace kiln
