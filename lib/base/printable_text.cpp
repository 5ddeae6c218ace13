#include "base/printable_text.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace kiln {

namespace {

/// Controls of the first and the second set, and what changes the direction of the text around it. A byte that is part
/// of no character can be a control of the second set, where the terminal is set to Latin-1.
bool is_control(unsigned code, bool is_character) {
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) return true;
  if (!is_character) return false;
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
    const Utf8Character first = first_character(text);
    const bool is_character = first.length != 0;
    const std::size_t length = is_character ? first.length : 1;
    const unsigned code = is_character ? first.code : static_cast<unsigned char>(text.front());
    if (is_control(code, is_character))
      replace(result, code, text);
    else
      result.append(text.substr(0, length));
    text.remove_prefix(length);
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
  return printable_line(text.substr(0, character_border(text, most))) + "...";
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
