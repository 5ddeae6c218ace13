#include "emulator/memory/device_heap.hpp"

#include "emulator/core/addresses.hpp"

#include <algorithm>
#include <bit>

namespace kiln::emulator {
namespace {

constexpr std::uint64_t unit = PageDirectory::granule_size;

// Granules of a block: its own and an inaccessible one after it.
std::uint64_t footprint(std::uint64_t size) { return aligned(size, unit) + unit; }

}  // namespace

DeviceHeap& DeviceHeap::get() {
  static DeviceHeap& heap = *new DeviceHeap;  // as AddressSpace: never destroyed
  return heap;
}

bool DeviceHeap::set_limit(std::uint64_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (base_ != 0) return bytes == limit_;
  limit_ = bytes;
  return true;
}

std::uint64_t DeviceHeap::limit() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return limit_;
}

std::uint64_t DeviceHeap::room_for(std::uint64_t size, std::uint64_t alignment, std::uint64_t from) const {
  std::uint64_t place = aligned(from, alignment);
  for (auto next = blocks_.lower_bound(from); next != blocks_.end(); ++next) {
    if (place + size <= next->first) return place;
    if (!next->second.freed) place = aligned(next->first + footprint(next->second.size), alignment);
  }
  return place + size <= base_ + size_ ? place : 0;
}

std::uint64_t DeviceHeap::allocate(std::uint64_t size, std::uint64_t alignment) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!std::has_single_bit(alignment) || alignment > limit_) return 0;
  alignment = std::max(alignment, unit);
  if (size == 0 || size > limit_ || footprint(size) > limit_ - used_) return 0;
  if (base_ == 0) {
    size_ = 4 * limit_;
    base_ = AddressSpace::get().allocate_packed(size_, 0);
    if (base_ == 0) return 0;
    cursor_ = base_ + unit;
  }
  // As in AddressSpace, the search goes on from the latest block, and starts again only at the end.
  std::uint64_t place = room_for(footprint(size), alignment, cursor_);
  if (place == 0) place = room_for(footprint(size), alignment, base_ + unit);
  if (place == 0) return 0;
  blocks_.erase(blocks_.lower_bound(place), blocks_.lower_bound(place + footprint(size)));
  blocks_[place] = {size, false};
  cursor_ = place + footprint(size);
  used_ += footprint(size);
  AddressSpace::get().set_block(place, size, true);
  return place;
}

bool DeviceHeap::release(std::uint64_t address) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = blocks_.find(address);
  if (found == blocks_.end() || found->second.freed) return false;
  found->second.freed = true;
  used_ -= footprint(found->second.size);
  AddressSpace::get().set_block(address, found->second.size, false);
  return true;
}

std::optional<Allocation> DeviceHeap::nearest(std::uint64_t address) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto best = blocks_.upper_bound(address);
  if (best != blocks_.begin()) {
    const auto before = std::prev(best);
    const bool inside = address - before->first < before->second.size;
    const auto behind = address - before->first - before->second.size;
    if (best == blocks_.end() || inside || behind < best->first - address) best = before;
  }
  if (best == blocks_.end()) return std::nullopt;
  return Allocation{best->first, best->second.size, Allocation::Kind::heap, 0, best->second.freed, {}};
}

}  // namespace kiln::emulator
