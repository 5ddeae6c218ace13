// JSON that somebody else wrote, of any depth.
#pragma once

#include "base/default_float_environment.hpp"

#include <kiln/error.hpp>

#include <string_view>

namespace kiln {

/// Parses it as that nlohmann::json. Throws Error for values that are nested far deeper than any that Kiln writes, and
/// else as its own parse() does, which calls nothing for each level. But copies do, and dump(), and an object whose
/// members keep their order is copied as it grows: the process would be at the end of its stack.
template <class Json>
Json parsed_json(std::string_view text) {
  constexpr int deepest = 100;
  const DefaultFloatEnvironment environment;  // 0.1 is the same number however the thread rounds
  return Json::parse(text, [](int depth, typename Json::parse_event_t, const Json&) {
    if (depth > deepest) throw Error("its values are nested too deeply");
    return true;
  });
}

}  // namespace kiln
