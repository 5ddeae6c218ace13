// What both kinds of report make of an entry.
#pragma once

#include "emulator/profile/profile_store.hpp"

#include <array>
#include <map>
#include <utility>
#include <vector>

namespace kiln::emulator {

/// All instructions of the entry, in the order of the PTX.
std::vector<const InstructionCounts*> rows_of(const LaunchEntry& entry);

/// Source and line; {-1, 0} for instructions without.
using LineKey = std::pair<std::int64_t, std::uint32_t>;
std::map<LineKey, Counters> lines_of(const std::vector<const InstructionCounts*>& rows);

Counters total_of(const std::vector<const InstructionCounts*>& rows);

/// Threads whose predicate held, by kind of instruction.
std::array<std::uint64_t, kind_count> threads_by_kind(const std::vector<const InstructionCounts*>& rows);

/// 32 for each sector of loads, stores and atomic operations.
std::uint64_t global_bytes(const Counters& counters);

}  // namespace kiln::emulator
