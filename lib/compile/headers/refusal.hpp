// Why a compile's result must not be kept.
#pragma once

#include "cache/statistics.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace kiln {

/// Empty where it may be kept.
struct Refusal {
  Counter counter = Counter::refused;
  std::string text;

  bool empty() const noexcept { return text.empty(); }
  /// The first reason stands.
  void add(Counter reason, std::string words) {
    if (text.empty()) *this = {reason, std::move(words)};
  }
};

constexpr std::string_view clock_refusal = "__TIME__, __DATE__ or __TIMESTAMP__: each compile differs";

}  // namespace kiln
