// The names of a map, for errors that list them.
#pragma once

#include <cstddef>
#include <string>

namespace kiln {

/// "a, b, c"; "none" where there is none. Not more than a person reads.
template <class Map>
std::string name_list(const Map& map) {
  constexpr std::size_t most = 20;
  std::string list;
  std::size_t count = 0;
  for (const auto& item : map) {
    if (++count > most) return list + " and " + std::to_string(map.size() - most) + " more";
    list += (list.empty() ? "" : ", ") + item.first;
  }
  return list.empty() ? "none" : list;
}

}  // namespace kiln
