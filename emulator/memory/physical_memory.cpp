#include "emulator/memory/physical_memory.hpp"

#include <algorithm>
#include <iterator>

namespace kiln::emulator {

// The first free range that is large enough, else the end of the file.
std::uint64_t PhysicalMemory::take_free(std::uint64_t size) {
  const auto found = std::find_if(free_.begin(), free_.end(), [=](const auto& range) { return range.second >= size; });
  if (found == free_.end()) {
    const std::uint64_t offset = end_;
    end_ += size;
    return offset;
  }
  const auto [offset, whole] = *found;
  free_.erase(found);
  if (whole > size) free_.emplace(offset + size, whole - size);
  return offset;
}

void PhysicalMemory::add_free(std::uint64_t offset, std::uint64_t size) {
  auto next = free_.lower_bound(offset);
  if (next != free_.end() && offset + size == next->first) {
    size += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin())
    if (const auto before = std::prev(next); before->first + before->second == offset) {
      before->second += size;
      return;
    }
  free_.emplace(offset, size);
}

std::optional<std::uint64_t> PhysicalMemory::allocate(std::uint64_t size, bool follow_writes) {
  const std::uint64_t offset = take_free(size);
  const bool made =
      bytes.grow(end_) && (!follow_writes || (unwritten.grow(end_ / 8) && unwritten.fill(offset / 8, size / 8, 0xFF)));
  if (made) return offset;
  add_free(offset, size);
  return std::nullopt;
}

void PhysicalMemory::release(std::uint64_t offset, std::uint64_t size) {
  bytes.give_back(offset, size);
  unwritten.give_back(offset / 8, size / 8);
  add_free(offset, size);
}

}  // namespace kiln::emulator
