// JSON that somebody else wrote, of any depth.
#pragma once

#include "base/default_float_environment.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace kiln {

/// Parses it as that nlohmann::json. Throws Error that says where it is none, or that its values are nested far deeper
/// than any that Kiln writes: the parser calls nothing for each level, but copies do, and dump(), and an object whose
/// members keep their order is copied as it grows: the process would be at the end of its stack.
template <class Json>
Json parsed_json(std::string_view text) {
  constexpr int deepest = 100;
  const DefaultFloatEnvironment environment;  // 0.1 is the same number however the thread rounds
  try {
    return Json::parse(text, [](int depth, typename Json::parse_event_t, const Json&) {
      if (depth > deepest) throw Error("its values are nested too deeply");
      return true;
    });
  } catch (const typename Json::parse_error& error) {
    const std::string_view before = text.substr(0, error.byte == 0 ? 0 : error.byte - 1);
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::size_t column = before.size() - (before.rfind('\n') + 1);
    throw Error("it is no JSON: line " + std::to_string(lines + 1) + ", column " + std::to_string(column + 1));
  } catch (const typename Json::exception&) {
    throw Error("it has a number that no double can hold");
  }
}

}  // namespace kiln
