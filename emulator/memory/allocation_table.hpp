// The allocations of an AddressSpace, and where the next one goes. All under one lock, which callers take.
#pragma once

#include "emulator/core/addresses.hpp"
#include "emulator/memory/address_space.hpp"
#include "emulator/memory/written_map.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

namespace kiln::emulator {

struct AllocationTable {
  mutable std::mutex mutex;
  std::map<std::uint64_t, Allocation> live;         // by base
  std::deque<Allocation> freed;                     // the latest last
  std::map<std::uint64_t, std::uint64_t> reserved;  // sizes of the ranges of VirtualMemory, by base
  std::map<int, std::uint64_t> used;                // by device
  std::uint64_t host_used = 0;
  std::uint64_t total = 0;
  std::uint64_t cursor = 0;  // where the next allocation is looked for
  WrittenMap written;

  // Unused bytes before and after each allocation.
  static constexpr std::uint64_t gap = std::uint64_t{64} << 10;
  // How many freed allocations reports remember.
  static constexpr std::size_t remembered = 4096;

  static std::uint64_t end_of(const Allocation& allocation) { return allocation.base + allocation.size; }

  // The base of a free range at or after `from`, or 0. The search goes on from the latest allocation, so that a freed
  // range is reused late: use after free is noticed.
  std::uint64_t room(std::uint64_t from, std::uint64_t end, std::uint64_t size, std::uint64_t alignment) const {
    auto next = live.lower_bound(from);
    auto next_range = reserved.lower_bound(from);
    // `from` may lie in what has been made since it was chosen.
    if (next != live.begin()) from = std::max(from, end_of(std::prev(next)->second));
    if (next_range != reserved.begin())
      from = std::max(from, std::prev(next_range)->first + std::prev(next_range)->second);
    std::uint64_t base = aligned(from + gap, alignment);
    for (;;) {
      const bool has_live = next != live.end() && next->first < end, has_range = next_range != reserved.end();
      if (!has_live && !has_range) return base + size + gap <= end ? base : 0;
      const bool is_live = has_live && (!has_range || next->first < next_range->first);
      const std::uint64_t begin = is_live ? next->first : next_range->first;
      if (base + size + gap <= begin) return base;
      const std::uint64_t taken = is_live ? next++->second.size : next_range++->second;
      base = aligned(begin + taken + gap, alignment);
    }
  }
  // Whether a reserved range may lie there: other ones may be its neighbours, allocations have their unused bytes.
  bool may_reserve(std::uint64_t base, std::uint64_t size) const {
    const auto next = live.lower_bound(base);
    if (next != live.end() && next->first - base < size + gap) return false;
    if (next != live.begin() && end_of(std::prev(next)->second) + gap > base) return false;
    const auto range = reserved.lower_bound(base);
    if (range != reserved.end() && range->first - base < size) return false;
    return range == reserved.begin() || std::prev(range)->first + std::prev(range)->second <= base;
  }
  const Allocation* holding(std::uint64_t address) const {
    auto next = live.upper_bound(address);
    if (next == live.begin()) return nullptr;
    const Allocation& before = std::prev(next)->second;
    return address - before.base < before.size ? &before : nullptr;
  }
  std::uint64_t& counter(const Allocation& allocation) {
    const bool is_host = allocation.kind == Allocation::Kind::host || allocation.kind == Allocation::Kind::registered;
    return is_host ? host_used : used[allocation.device];
  }
  void remember_freed(Allocation allocation) {
    allocation.freed = true;
    freed.push_back(std::move(allocation));
    if (freed.size() > remembered) freed.pop_front();
  }
};

}  // namespace kiln::emulator
