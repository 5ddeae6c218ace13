// A JSON object as text, written field by field.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

/// The text as a JSON string; what is no UTF-8 as {"base64": "..."}, as JSON has no bytes.
std::string json_text(std::string_view text);

/// One line: no field has an end of line outside of its text. For one thread.
class JsonObject {
 public:
  JsonObject& add(std::string_view key, std::string_view text) { return add_json(key, json_text(text)); }
  JsonObject& add(std::string_view key, const char* text) { return add(key, std::string_view(text)); }
  JsonObject& add(std::string_view key, bool value) { return add_json(key, value ? "true" : "false"); }
  JsonObject& add(std::string_view key, int value) { return add_json(key, std::to_string(value)); }
  JsonObject& add(std::string_view key, const std::vector<std::string>& texts);
  /// An array of arrays of two.
  JsonObject& add(std::string_view key, const std::vector<std::pair<std::string, std::string>>& pairs);
  /// What is JSON already.
  JsonObject& add_json(std::string_view key, std::string_view json);

  std::string text() const { return "{" + fields_ + "}"; }

 private:
  std::string fields_;
};

/// An array of what is JSON already.
std::string json_array(const std::vector<std::string>& items);

}  // namespace kiln
