// Versions as people write them.
#pragma once

#include <string>
#include <utility>

namespace kiln {

/// "13.0" of {13, 0}.
inline std::string version_text(std::pair<int, int> version) {
  return std::to_string(version.first) + '.' + std::to_string(version.second);
}

}  // namespace kiln
