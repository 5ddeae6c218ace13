// What a compiler tells of the time that it took.
#pragma once

#include <kiln/compile_timing.hpp>

#include <chrono>
#include <optional>
#include <vector>

namespace kiln {

/// The members are those of CompileTiming.
struct CompilerTimes {
  std::optional<std::chrono::microseconds> front_end = {};
  std::optional<std::chrono::microseconds> headers = {};
  std::optional<std::chrono::microseconds> optimizer = {};
  std::optional<std::chrono::microseconds> ptxas = {};
  std::vector<HeaderTime> slowest_headers = {};
  bool precompiled_header = false;
  /// What a second compile took, for the times alone: not the user's.
  std::chrono::microseconds measuring{};
};

}  // namespace kiln
