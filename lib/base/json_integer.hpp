// Integers of JSON that somebody else wrote.
#pragma once

#include <kiln/error.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

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
  if (!number)
    throw Error("a whole number that fits is expected, and there is " +
                (json.is_number() ? json.dump() : std::string(json.type_name())));
  return *number;
}

/// Those of a list. Throws Error for what is none, too.
template <class Integer, class Json>
std::vector<Integer> json_integers(const Json& json) {
  if (!json.is_array()) throw Error(std::string("a list of sizes is expected, and there is ") + json.type_name());
  std::vector<Integer> integers;
  for (const Json& item : json) integers.push_back(json_integer<Integer>(item));
  return integers;
}

}  // namespace kiln
