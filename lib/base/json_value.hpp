// Values and members of JSON that somebody else wrote. Each throws Error that says what is wrong with them: what the
// parser's own exceptions say is for its users.
#pragma once

#include "base/printable_text.hpp"

#include <kiln/error.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kiln {

template <class Json>
[[noreturn]] void throw_other_json(const char* expected, const Json& json) {
  throw Error(std::string(expected) + " is expected, and there is " +
              (json.is_number() ? json.dump() : "a value of type " + std::string(json.type_name())));
}

/// The number of an nlohmann::json, of any of its forms. Throws Error for what is no whole number or does not fit: its
/// own get() makes an integer of every number, of 1.5 as of 1e300, for which C++ does not even say which one.
template <class Integer, class Json>
Integer json_integer(const Json& json) {
  std::optional<Integer> number;
  const auto take = [&](auto value) {
    if (std::in_range<Integer>(value)) number = static_cast<Integer>(value);
  };
  if (json.is_number_unsigned())
    take(json.template get<std::uint64_t>());
  else if (json.is_number_integer())
    take(json.template get<std::int64_t>());
  if (!number) throw_other_json("a whole number that fits", json);
  return *number;
}

template <class Value>
struct JsonList;
template <class Item>
struct JsonList<std::vector<Item>> {
  using Type = Item;
};

/// A text, a truth value, a number, or a list of these.
template <class Value, class Json>
Value json_value(const Json& json) {
  if constexpr (std::is_same_v<Value, std::string>) {
    if (!json.is_string()) throw_other_json("a text", json);
    return json.template get<std::string>();
  } else if constexpr (std::is_same_v<Value, bool>) {
    if (!json.is_boolean()) throw_other_json("true or false", json);
    return json.template get<bool>();
  } else if constexpr (std::is_floating_point_v<Value>) {
    if (!json.is_number()) throw_other_json("a number", json);
    return json.template get<Value>();
  } else if constexpr (std::is_integral_v<Value>) {
    return json_integer<Value>(json);
  } else {
    if (!json.is_array()) throw_other_json("a list", json);
    Value list;
    for (const Json& item : json) list.push_back(json_value<typename JsonList<Value>::Type>(item));
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

template <class Json>
const Json& json_member(const Json& object, const char* name) {
  if (!object.is_object()) throw_other_json(("an object with \"" + std::string(name) + "\"").c_str(), object);
  const auto found = object.find(name);
  if (found == object.end()) throw Error("it has no \"" + std::string(name) + "\"");
  return *found;
}

/// The value of a member.
template <class Value, class Json>
Value json_get(const Json& object, const char* name) {
  const Json& member = json_member(object, name);
  return of_json_member(name, [&] { return json_value<Value>(member); });
}

/// That of one that may be missing.
template <class Value, class Json>
Value json_get_or(const Json& object, const char* name, Value otherwise) {
  return object.contains(name) ? json_get<Value>(object, name) : otherwise;
}

/// The list that a member is.
template <class Json>
const Json& json_list(const Json& object, const char* name) {
  const Json& member = json_member(object, name);
  if (!member.is_array()) throw_other_json(("a list as \"" + std::string(name) + "\"").c_str(), member);
  return member;
}

/// The object that a member is.
template <class Json>
const Json& json_object(const Json& object, const char* name) {
  const Json& member = json_member(object, name);
  if (!member.is_object()) throw_other_json(("an object as \"" + std::string(name) + "\"").c_str(), member);
  return member;
}

}  // namespace kiln
