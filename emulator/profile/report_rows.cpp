#include "emulator/profile/report_rows.hpp"

#include <algorithm>

namespace kiln::emulator {

std::vector<const InstructionCounts*> rows_of(const LaunchEntry& entry) {
  std::vector<const InstructionCounts*> rows;
  for (const auto& [name, instructions] : entry.functions)
    for (const auto& [number, row] : instructions) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const InstructionCounts* a, const InstructionCounts* b) { return a->ptx_line < b->ptx_line; });
  return rows;
}

std::map<LineKey, Counters> lines_of(const std::vector<const InstructionCounts*>& rows) {
  std::map<LineKey, Counters> lines;
  for (const InstructionCounts* const row : rows) {
    LineKey key{-1, 0};
    if (!row->places.empty()) key = {static_cast<std::int64_t>(row->places.front().source), row->places.front().line};
    lines[key].add(row->counters);
  }
  return lines;
}

Counters total_of(const std::vector<const InstructionCounts*>& rows) {
  Counters total;
  for (const InstructionCounts* const row : rows) total.add(row->counters);
  return total;
}

std::array<std::uint64_t, kind_count> threads_by_kind(const std::vector<const InstructionCounts*>& rows) {
  std::array<std::uint64_t, kind_count> threads{};
  for (const InstructionCounts* const row : rows)
    threads[static_cast<std::size_t>(row->kind)] += row->counters[Counter::thread_inst_executed_true];
  return threads;
}

std::uint64_t global_bytes(const Counters& counters) {
  std::uint64_t sectors = 0;
  for (const Operation operation : {Operation::load, Operation::store, Operation::atomic})
    sectors += counters[counter_of(Counter::global_load_requests, operation, AccessCounter::units)];
  return 32 * sectors;
}

}  // namespace kiln::emulator
