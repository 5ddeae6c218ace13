// Times as the commands print them.
#pragma once

#include <chrono>
#include <string>

namespace kiln::tool {

/// Tenths of a millisecond, written without the locale's decimal sign.
inline std::string milliseconds(std::chrono::steady_clock::duration time) {
  const auto tenths = std::chrono::duration_cast<std::chrono::microseconds>(time).count() / 100;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

}  // namespace kiln::tool
