// Figures as the commands print them: times, sizes, numbers of entries.
#pragma once

#include <kiln/problem_size.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace kiln::tool {

/// "12.3 us".
std::string time_text(double seconds);

/// "1 entry", "2 entries".
inline std::string entry_count(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " entry" : " entries");
}

/// Tenths of a millisecond, written without the locale's decimal sign.
inline std::string milliseconds(std::chrono::steady_clock::duration time) {
  const auto tenths = std::chrono::duration_cast<std::chrono::microseconds>(time).count() / 100;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

/// "4096x4096".
std::string problem_text(const ProblemSize& problem);
/// Of one to three sizes.
ProblemSize problem_of(const std::vector<unsigned long long>& sizes);

}  // namespace kiln::tool
