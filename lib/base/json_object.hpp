// JSON as text: Kiln writes all of its JSON by these.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace kiln {

/// The text as a JSON string; what is no UTF-8 as {"base64": "..."}, as JSON has no bytes.
std::string json_text(std::string_view text);

/// For reports: a JSON string in any case. Bytes that are no UTF-8 become U+FFFD.
std::string json_report_text(std::string_view text);

/// The shortest number that reads back as the same double, "1.0" where it is whole. Null for NaN and infinity.
std::string json_number(double value);

/// An array of what is JSON already.
std::string json_array(const std::vector<std::string>& items);

/// JSON of one line with a line for each value, indented by two blanks a level.
std::string json_indented(std::string_view json);

/// One line: no field has an end of line outside of its text. For one thread.
class JsonObject {
 public:
  JsonObject() = default;

  /// A text, a truth value, a number, a list or a pair of these, or an optional: null where it has none.
  template <class Value>
  JsonObject& add(std::string_view key, const Value& value) {
    return add_json(key, json_of(value));
  }
  /// What is JSON already.
  JsonObject& add_json(std::string_view key, std::string_view json);

  std::string text() const { return "{" + fields_ + "}"; }

 protected:
  using WriteText = std::string(std::string_view);
  explicit JsonObject(WriteText* write_text) : write_text_(write_text) {}

 private:
  template <class Value>
  std::string json_of(const Value& value) const {
    if constexpr (std::is_convertible_v<const Value&, std::string_view>) {
      return write_text_(value);
    } else if constexpr (std::is_same_v<Value, bool>) {
      return value ? "true" : "false";
    } else if constexpr (std::is_integral_v<Value>) {
      return std::to_string(value);
    } else if constexpr (std::is_floating_point_v<Value>) {
      return json_number(value);
    } else {
      std::vector<std::string> items;
      for (const auto& item : value) items.push_back(json_of(item));
      return json_array(items);
    }
  }
  template <class Value>
  std::string json_of(const std::optional<Value>& value) const {
    return value ? json_of(*value) : "null";
  }
  template <class First, class Second>
  std::string json_of(const std::pair<First, Second>& pair) const {
    return json_array({json_of(pair.first), json_of(pair.second)});
  }

  WriteText* write_text_ = json_text;
  std::string fields_;
};

/// One whose texts and names are written by json_report_text.
class JsonReport : public JsonObject {
 public:
  JsonReport() : JsonObject(json_report_text) {}
};

}  // namespace kiln
