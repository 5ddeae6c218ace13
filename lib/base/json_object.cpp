#include "base/json_object.hpp"

#include "base/base64.hpp"
#include "base/default_float_environment.hpp"
#include "base/printable_text.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>

namespace kiln {

namespace {

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = first_character(text).length;
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

void append_escaped(std::string& json, char character) {
  constexpr std::string_view hex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(character);
  if (character == '"' || character == '\\') return (void)(json += '\\', json += character);
  if (character == '\n') return (void)(json += "\\n");
  if (character == '\t') return (void)(json += "\\t");
  if (byte >= 0x20) return (void)(json += character);
  json.append("\\u00").append(1, hex[byte >> 4]).append(1, hex[byte & 15]);
}

void append_report_escaped(std::string& json, char character) {
  constexpr std::string_view controls = "\b\f\r", letters = "bfr";
  const std::size_t at = controls.find(character);
  if (at == std::string_view::npos) return append_escaped(json, character);
  json.append("\\").append(1, letters[at]);
}

/// Of a text that does not begin with a character: as many of its bytes as one begins with, and at least one.
std::size_t broken_length(std::string_view text) {
  for (std::size_t length = std::min<std::size_t>(text.size(), 3); length > 1; --length)
    if (first_character(std::string(text.substr(0, length)) + "\x80\x80").length > length) return length;
  return 1;
}

std::string number_text(double value, std::chars_format format) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value, format).ptr};
}

}  // namespace

std::string json_text(std::string_view text) {
  if (!is_utf8(text)) return "{\"base64\":\"" + base64_text(text) + "\"}";
  std::string json = "\"";
  json.reserve(text.size() + text.size() / 16 + 2);
  for (const char character : text) append_escaped(json, character);
  return printable_json(json + "\"");
}

std::string json_report_text(std::string_view text) {
  std::string json = "\"";
  while (!text.empty()) {
    const std::size_t length = first_character(text).length;
    if (length == 1)
      append_report_escaped(json, text.front());
    else
      json += length != 0 ? text.substr(0, length) : "\xEF\xBF\xBD";
    text.remove_prefix(length != 0 ? length : broken_length(text));
  }
  return json + "\"";
}

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  const DefaultFloatEnvironment environment;  // std::to_chars takes a subnormal number for 0 in a program of -Ofast
  std::string text = number_text(value, std::chars_format::scientific);
  const int exponent = std::atoi(text.c_str() + text.find('e') + 1);
  if (exponent < -4 || exponent > 14) return text;
  text = number_text(value, std::chars_format::fixed);
  return text.find('.') != std::string::npos ? text : text + ".0";
}

std::string json_array(const std::vector<std::string>& items) {
  std::string json = "[";
  for (const std::string& item : items) json.append(json.size() == 1 ? "" : ",").append(item);
  return json + "]";
}

std::string json_indented(std::string_view json) {
  std::string text;
  std::size_t level = 0;
  bool is_text = false;
  const auto begin_line = [&] { text.append("\n").append(2 * level, ' '); };
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char character = json[at];
    if (character == '"') is_text = !is_text;
    if (is_text) {
      text += character;
      if (character == '\\') text += json[++at];
      continue;
    }
    const bool opens = character == '{' || character == '[', closes = character == '}' || character == ']';
    if (closes) --level;
    if (closes && text.back() != '{' && text.back() != '[') begin_line();
    text += character;
    if (character == ':') text += ' ';
    if (opens) ++level;
    if (character == ',' || (opens && json[at + 1] != '}' && json[at + 1] != ']')) begin_line();
  }
  return text;
}

JsonObject& JsonObject::add_json(std::string_view key, std::string_view json) {
  fields_.append(fields_.empty() ? "" : ",").append(write_text_(key)).append(":").append(json);
  return *this;
}

}  // namespace kiln
