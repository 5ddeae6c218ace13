#include "base/printable_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace kiln {

namespace {

/// What one code point, or a byte that is part of none, is to a terminal.
struct Character {
  std::size_t length = 1;
  unsigned code = 0;
  bool is_valid = true;
};

Character first_character(std::string_view text) {
  Character first;
  first.code = static_cast<unsigned char>(text.front());
  first.length = utf8_length(text);
  if (first.length == 0) return {1, first.code, false};
  if (first.length == 1) return first;
  first.code &= 0xFFU >> (first.length + 1);
  for (std::size_t i = 1; i < first.length; ++i)
    first.code = first.code << 6 | (static_cast<unsigned char>(text[i]) & 0x3FU);
  return first;
}

/// Controls of the first and the second set, and what changes the direction of the text around it. A byte that is part
/// of no character can be a control of the second set, where the terminal is set to Latin-1.
bool is_control(const Character& character) {
  const unsigned code = character.code;
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) return true;
  if (!character.is_valid) return false;
  return code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

/// Hands each control to `replace`, which appends what is to stand there, and copies the rest.
template <class Replace>
std::string replaced_controls(std::string_view text, const Replace& replace) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto plain = std::find_if_not(text.begin(), text.end(), [](char c) { return c >= ' ' && c < '\x7F'; });
    const auto run = static_cast<std::size_t>(plain - text.begin());
    result.append(text.substr(0, run));
    text.remove_prefix(run);
    if (text.empty()) break;
    const Character first = first_character(text);
    if (is_control(first))
      replace(result, first.code, text);
    else
      result.append(text.substr(0, first.length));
    text.remove_prefix(first.length);
  }
  return result;
}

void append_unicode_escape(std::string& json, unsigned code) {
  std::array<char, 8> digits{};
  const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), code, 16).ptr;
  const std::string_view text(digits.data(), static_cast<std::size_t>(end - digits.data()));
  json.append("\\u").append(4 - text.size(), '0').append(text);
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // Too long a form, a half of a pair of UTF-16, and what is beyond Unicode.
  const bool is_wrong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ||
                        (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F);
  return is_wrong ? 0 : length;
}

std::string printable_text(std::string_view text) {
  return replaced_controls(text, [](std::string& result, unsigned code, std::string_view rest) {
    if (code == '\r' && rest.size() > 1 && rest[1] == '\n') return;
    result += code == '\n' || code == '\t' ? static_cast<char>(code) : '?';
  });
}

std::string printable_line(std::string_view text) {
  std::string line = printable_text(text);
  std::replace(line.begin(), line.end(), '\n', '?');
  std::replace(line.begin(), line.end(), '\t', ' ');
  return line;
}

std::string printable_word(std::string_view text, std::size_t most) {
  if (text.size() <= most) return printable_line(text);
  std::size_t end = most;
  const auto continues = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U; };
  for (int steps = 0; steps < 3 && end > 0 && continues(end); ++steps) --end;  // to the beginning of a character
  return printable_line(text.substr(0, end)) + "...";
}

std::string printable_json(std::string_view json) {
  return replaced_controls(json, [](std::string& result, unsigned code, std::string_view) {
    if (code == '\n' || code == '\t' || code == '\r')  // between the values: within a text they are escaped already
      result += static_cast<char>(code);
    else
      append_unicode_escape(result, code);
  });
}

}  // namespace kiln
