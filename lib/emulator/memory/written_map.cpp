#include "emulator/memory/written_map.hpp"

#include <algorithm>

namespace kiln::emulator {
namespace {

// The bits of one byte of the map that stand for the next bytes of memory, at most `size` of them.
struct Bits {
  std::uint64_t index;
  std::uint64_t count;
  std::uint8_t mask;
};
Bits bits_at(std::uint64_t offset, std::uint64_t size) {
  const std::uint64_t first = offset % 8, count = std::min<std::uint64_t>(size, 8 - first);
  return {offset / 8, count, static_cast<std::uint8_t>(((1u << count) - 1u) << first)};
}

}  // namespace

bool WrittenMap::forget(const Reservation& range, std::uint64_t address, std::uint64_t size) {
  if (unwritten_.load() == nullptr) {
    if (!storage_.reserve(range.size() / 8, true)) return false;
    begin_ = range.begin();
    size_ = range.size();
    unwritten_.store(reinterpret_cast<std::atomic<std::uint8_t>*>(storage_.begin()));
  }
  set(address, size, true);
  return true;
}

void WrittenMap::set(std::uint64_t address, std::uint64_t size, bool unwritten) noexcept {
  std::atomic<std::uint8_t>* const map = unwritten_.load(std::memory_order_acquire);
  if (map == nullptr || address - begin_ >= size_) return;
  size = std::min(size, size_ - (address - begin_));
  for (std::uint64_t offset = address - begin_; size != 0;) {
    const Bits bits = bits_at(offset, size);
    if (bits.mask == 0xFF)
      map[bits.index].store(unwritten ? 0xFF : 0, std::memory_order_relaxed);
    else if (unwritten)
      map[bits.index].fetch_or(bits.mask, std::memory_order_relaxed);
    else
      map[bits.index].fetch_and(static_cast<std::uint8_t>(~bits.mask), std::memory_order_relaxed);
    offset += bits.count;
    size -= bits.count;
  }
}

bool WrittenMap::written(std::uint64_t address, std::uint64_t size) const noexcept {
  const std::atomic<std::uint8_t>* const map = unwritten_.load(std::memory_order_acquire);
  if (map == nullptr || address - begin_ >= size_) return true;
  size = std::min(size, size_ - (address - begin_));
  for (std::uint64_t offset = address - begin_; size != 0;) {
    const Bits bits = bits_at(offset, size);
    if ((map[bits.index].load(std::memory_order_relaxed) & bits.mask) != 0) return false;
    offset += bits.count;
    size -= bits.count;
  }
  return true;
}

}  // namespace kiln::emulator
