#include "base/escaped_text.hpp"

#include <cstddef>

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
  std::string result;
  for (const char c : escaped_text(name)) result += c == '\n' ? "\\n" : std::string(1, c);
  return result;
}

std::string ptx_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result.append(1, '\\').append(1, c);
    } else if (c == '\n' || c == '\t') {
      result += c == '\n' ? "\\n" : "\\t";
    } else if (byte < ' ' || byte > '~') {
      result += '\\';
      for (const int digit : {byte >> 6, (byte >> 3) & 7, byte & 7}) result += static_cast<char>('0' + digit);
    } else {
      result += c;
    }
  }
  return result;
}

std::string unescaped(std::string_view text) {
  const auto is_octal = [](char c) { return c >= '0' && c <= '7'; };
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      result += text[at++];
      continue;
    }
    const char c = text[++at];
    if (is_octal(c)) {
      int value = 0;
      for (int digits = 0; digits < 3 && at < text.size() && is_octal(text[at]); ++digits)
        value = value * 8 + (text[at++] - '0');
      result += static_cast<char>(value);
    } else {
      result += c == 'n' ? '\n' : c == 't' ? '\t' : c;
      ++at;
    }
  }
  return result;
}

}  // namespace kiln
