// JSON that somebody else wrote. What reads it throws Error that says in Kiln's words what is wrong with it.
#pragma once

#include <kiln/error.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace kiln {

/// A value of JSON that was parsed.
class JsonValue {
 public:
  using List = std::vector<JsonValue>;
  using Members = std::vector<std::pair<std::string, JsonValue>>;  // in their order, each name once
  /// A whole number is unsigned where it is not negative.
  using Content = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, List, Members>;

  explicit JsonValue(Content content) : content_(std::move(content)) {}

  const Content& content() const noexcept { return content_; }
  template <class Kind>
  bool is() const noexcept {
    return std::holds_alternative<Kind>(content_);
  }
  bool is_number() const noexcept { return is<std::int64_t>() || is<std::uint64_t>() || is<double>(); }
  /// "string", as JSON calls it.
  const char* type_name() const noexcept;

  /// The member of an object; nullptr where there is none, or this is no object.
  const JsonValue* find(std::string_view name) const noexcept;

  /// As JSON, in one line.
  std::string json() const;

 private:
  friend class JsonReader;
  Content content_;
};

/// Throws Error that says where it is none, or that its values are nested far deeper than any that Kiln writes.
JsonValue parsed_json(std::string_view text);

[[noreturn]] void throw_other_json(const std::string& expected, const JsonValue& json);

/// Throws Error for what is no whole number or does not fit.
template <class Integer>
Integer json_integer(const JsonValue& json) {
  std::optional<Integer> number;
  const auto take = [&](auto value) {
    if (std::in_range<Integer>(value)) number = static_cast<Integer>(value);
  };
  if (const auto* const natural = std::get_if<std::uint64_t>(&json.content())) take(*natural);
  if (const auto* const negative = std::get_if<std::int64_t>(&json.content())) take(*negative);
  if (!number) throw_other_json("a whole number that fits", json);
  return *number;
}

double json_double(const JsonValue& json);

/// What it is, if it is of that kind.
template <class Kind>
const Kind& json_content(const JsonValue& json, const char* expected) {
  if (!json.is<Kind>()) throw_other_json(expected, json);
  return std::get<Kind>(json.content());
}

/// A text, a truth value, a number, or a list of these.
template <class Value>
Value json_value(const JsonValue& json) {
  if constexpr (std::is_same_v<Value, std::string>) {
    return json_content<std::string>(json, "a text");
  } else if constexpr (std::is_same_v<Value, bool>) {
    return json_content<bool>(json, "true or false");
  } else if constexpr (std::is_floating_point_v<Value>) {
    return json_double(json);
  } else if constexpr (std::is_integral_v<Value>) {
    return json_integer<Value>(json);
  } else {
    Value list;
    for (const JsonValue& item : json_content<JsonValue::List>(json, "a list"))
      list.push_back(json_value<typename Value::value_type>(item));
    return list;
  }
}

/// Calls `read`, whose Error is said to be of that member.
template <class Read>
auto of_json_member(const char* name, const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    throw Error("\"" + std::string(name) + "\": " + error.what());
  }
}

const JsonValue& json_member(const JsonValue& object, const char* name);

/// The value of a member.
template <class Value>
Value json_get(const JsonValue& object, const char* name) {
  const JsonValue& member = json_member(object, name);
  return of_json_member(name, [&] { return json_value<Value>(member); });
}

/// That of one that may be missing.
template <class Value>
Value json_get_or(const JsonValue& object, const char* name, Value otherwise) {
  return object.find(name) != nullptr ? json_get<Value>(object, name) : otherwise;
}

/// The list that a member is.
const JsonValue::List& json_list(const JsonValue& object, const char* name);

/// The object that a member is, and its members.
const JsonValue& json_object(const JsonValue& object, const char* name);
const JsonValue::Members& json_members(const JsonValue& object, const char* name);

}  // namespace kiln
