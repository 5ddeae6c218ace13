#include "base/utf8.hpp"

namespace kiln {

namespace {

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

Utf8Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned first = byte(0);
  if (first < 0x80) return {1, first};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return {};
  // Too long a form, a half of a pair of UTF-16, and what is beyond Unicode.
  const bool is_wrong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ||
                        (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F);
  if (is_wrong) return {};
  unsigned code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (!continues(text[i])) return {};
    code = code << 6 | (byte(i) & 0x3FU);
  }
  return {length, code};
}

std::size_t character_border(std::string_view text, std::size_t at) {
  constexpr std::size_t longest_character = 4;
  if (at >= text.size()) return text.size();
  std::size_t border = at;
  while (border > 0 && at - border < longest_character && continues(text[border])) --border;
  return continues(text[border]) ? at : border;  // bytes that are no UTF-8 have no borders
}

}  // namespace kiln
