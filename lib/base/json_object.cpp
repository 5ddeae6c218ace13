#include "base/json_object.hpp"

#include "base/base64.hpp"
#include "base/printable_text.hpp"
#include "base/utf8.hpp"

#include <cstddef>

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

}  // namespace

std::string json_text(std::string_view text) {
  if (!is_utf8(text)) return "{\"base64\":\"" + base64_text(text) + "\"}";
  std::string json = "\"";
  json.reserve(text.size() + text.size() / 16 + 2);
  for (const char character : text) append_escaped(json, character);
  return printable_json(json + "\"");
}

std::string json_array(const std::vector<std::string>& items) {
  std::string json = "[";
  for (const std::string& item : items) json.append(json.size() == 1 ? "" : ",").append(item);
  return json + "]";
}

JsonObject& JsonObject::add(std::string_view key, const std::vector<std::string>& texts) {
  std::vector<std::string> items;
  items.reserve(texts.size());
  for (const std::string& text : texts) items.push_back(json_text(text));
  return add_json(key, json_array(items));
}

JsonObject& JsonObject::add(std::string_view key, const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::vector<std::string> items;
  items.reserve(pairs.size());
  for (const auto& [first, second] : pairs) items.push_back(json_array({json_text(first), json_text(second)}));
  return add_json(key, json_array(items));
}

JsonObject& JsonObject::add_json(std::string_view key, std::string_view json) {
  fields_.append(fields_.empty() ? "" : ",").append(json_text(key)).append(":").append(json);
  return *this;
}

}  // namespace kiln
