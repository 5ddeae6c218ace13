#include "template/python_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace kiln {

namespace {

/// The longest double has 309 digits before its point.
std::string chars_text(double value, std::chars_format kind, std::size_t precision) {
  std::string text(precision + 400, '\0');
  const char* end = std::to_chars(text.data(), text.data() + text.size(), value, kind, static_cast<int>(precision)).ptr;
  text.resize(static_cast<std::size_t>(end - text.data()));
  return text;
}

int exponent_of(std::string_view scientific) {
  const std::string_view exponent = scientific.substr(scientific.find('e') + 1);
  int value = 0;
  std::from_chars(exponent.data() + (exponent[0] == '+' ? 1 : 0), exponent.data() + exponent.size(), value);
  return value;
}

/// "3" becomes "3.", "1e+30" becomes "1.e+30".
std::string with_point(std::string text) {
  if (text.find('.') == std::string::npos) text.insert(std::min(text.find('e'), text.size()), 1, '.');
  return text;
}

/// %g with #, which keeps the zeros at the end.
std::string general_with_zeros(double value, std::size_t precision) {
  const std::size_t digits = std::max<std::size_t>(precision, 1);
  std::string scientific = chars_text(value, std::chars_format::scientific, digits - 1);
  const int exponent = exponent_of(scientific);
  if (exponent < -4 || exponent >= static_cast<int>(digits)) return with_point(std::move(scientific));
  return with_point(fixed_text(value, static_cast<std::size_t>(static_cast<int>(digits) - 1 - exponent)));
}

template <class Float>
std::string shortest_python_text(Float value) {
  std::array<char, 64> buffer;
  std::string text(
      buffer.data(),
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific).ptr);
  const int exponent = exponent_of(text);
  if (exponent < -4 || exponent >= 16) return text;
  const std::string sign = text[0] == '-' ? "-" : "";
  std::string digits;
  for (const char c : text.substr(0, text.find('e')))
    if (c >= '0' && c <= '9') digits += c;
  if (exponent < 0) return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0') + ".0";
  return sign + digits.substr(0, whole) + '.' + digits.substr(whole);
}

struct Character {
  unsigned long code;
  std::size_t size;
  bool is_valid;
};

/// A byte that begins no character stands for itself.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned long>(static_cast<unsigned char>(text[i])); };
  const unsigned long lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return {lead, 1, false};
  unsigned long code = lead & (0x7FUL >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {lead, 1, false};
    code = code << 6 | (byte(i) & 0x3F);
  }
  const bool is_short = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  if (is_short || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {lead, 1, false};
  return {code, size, true};
}

std::string escape(char letter, unsigned long code, std::size_t digits) {
  const std::string number = digits_text(code, 16);
  return std::string("\\") + letter + std::string(digits - number.size(), '0') + number;
}

std::string escaped_character(unsigned long code, char quote) {
  if (code == '\n') return "\\n";
  if (code == '\r') return "\\r";
  if (code == '\t') return "\\t";
  if (code == '\\') return "\\\\";
  if (code == static_cast<unsigned char>(quote)) return std::string("\\") + quote;
  if (code >= ' ' && code < 0x7F) return std::string(1, static_cast<char>(code));
  if (code < 0x100) return escape('x', code, 2);
  return code < 0x10000 ? escape('u', code, 4) : escape('U', code, 8);
}

}  // namespace

std::string digits_text(unsigned long long number, int base) {
  std::array<char, 64> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number, base).ptr};
}

std::string fixed_text(double value, std::size_t precision) {
  return chars_text(value, std::chars_format::fixed, precision);
}

std::string floating_text(double value, char kind, std::size_t precision, bool alternate) {
  if (kind == 'g' && alternate) return general_with_zeros(value, precision);
  if (kind == 'g') return chars_text(value, std::chars_format::general, precision);
  std::string text =
      chars_text(value, kind == 'e' ? std::chars_format::scientific : std::chars_format::fixed, precision);
  return alternate ? with_point(std::move(text)) : text;
}

std::string python_text(double value) { return shortest_python_text(value); }
std::string python_text(float value) { return shortest_python_text(value); }

std::optional<std::string> python_ascii(std::string_view text) {
  const char quote = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string quoted(1, quote);
  while (!text.empty()) {
    const Character character = first_character(text);
    if (!character.is_valid) return std::nullopt;
    quoted += escaped_character(character.code, quote);
    text.remove_prefix(character.size);
  }
  return quoted + quote;
}

std::optional<std::string> utf8_text(unsigned long long code) {
  if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return std::nullopt;
  if (code < 0x80) return std::string(1, static_cast<char>(code));
  const std::size_t size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  std::string text(size, '\0');
  for (std::size_t i = size - 1; i > 0; --i, code >>= 6) text[i] = static_cast<char>(0x80 | (code & 0x3F));
  text[0] = static_cast<char>(0xF00 >> size | code);
  return text;
}

std::size_t character_count(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(first_character(text).size);
  return count;
}

std::size_t size_of_characters(std::string_view text, std::size_t count) {
  std::size_t size = 0;
  for (; count > 0 && size < text.size(); --count) size += first_character(text.substr(size)).size;
  return size;
}

}  // namespace kiln
