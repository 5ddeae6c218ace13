// JSON that is still JSON after a mutation.
#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace kiln::fuzz {

/// The object with the members that the input's lines are, each `"name":value`, in place of its own or beside them. A
/// line that is none, most often as a mutation changed it, is left out: of a whole object none would be left.
inline std::string with_members(std::string_view object, std::string_view lines) {
  auto json = nlohmann::ordered_json::parse(object);
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string line(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
    const auto brackets = std::count_if(line.begin(), line.end(), [](char c) { return c == '[' || c == '{'; });
    if (brackets > 200) continue;  // dump() calls itself for each that is within another
    const auto member = nlohmann::ordered_json::parse("{" + line + "}", nullptr, false);
    if (member.is_object()) json.update(member);
  }
  return json.dump();
}

}  // namespace kiln::fuzz
