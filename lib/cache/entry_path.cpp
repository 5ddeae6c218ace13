#include "cache/entry_path.hpp"

#include <cstdint>
#include <string>

namespace kiln {

namespace {

std::uint8_t digit(char c) { return static_cast<std::uint8_t>(c <= '9' ? c - '0' : c - 'a' + 10); }

}  // namespace

Digest key_of_path(std::string_view path) {
  Digest key;
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos || slash < 2) return key;
  std::string digits(path.substr(slash - 2, 2));
  digits += path.substr(slash + 1, path.find('.', slash) - slash - 1);
  if (digits.size() != 2 * key.bytes.size()) return key;
  for (std::size_t i = 0; i < key.bytes.size(); ++i)
    key.bytes[i] = static_cast<std::uint8_t>(digit(digits[2 * i]) << 4 | digit(digits[2 * i + 1]));
  return key;
}

}  // namespace kiln
