// How many entries, as the commands print it.
#pragma once

#include <cstdint>
#include <string>

namespace kiln::tool {

/// "1 entry", "2 entries".
inline std::string entry_count(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " entry" : " entries");
}

}  // namespace kiln::tool
