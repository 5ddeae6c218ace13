// What a profile says in words: only where the counts leave no doubt.
#pragma once

#include "emulator/profile/profile_store.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::emulator {

struct Advice {
  enum class Severity : std::uint8_t { high, medium, low };
  std::string rule;  // a stable name
  Severity severity = Severity::low;
  const InstructionCounts* row = nullptr;  // null: about the launch
  std::string text;
  std::uint64_t weight = 0;  // for the order within a severity
};

/// The most important first.
std::vector<Advice> advice_for(const LaunchEntry& entry);

/// The bytes between consecutive threads, if they are the same for all active lanes.
std::optional<std::int64_t> stride_of(const AccessSample& sample);

}  // namespace kiln::emulator
