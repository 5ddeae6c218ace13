#include "emulator/memory/written_map.hpp"

#include <algorithm>

namespace kiln::emulator {
namespace {

constexpr std::uint64_t shared_unit = std::uint64_t{2} << 20;

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

bool WrittenMap::cover(const Reservation& range) {
  if (unwritten_.load() != nullptr) return true;
  // A block that can be shared begins with a page of the map.
  const std::uint64_t begin = range.begin() / shared_unit * shared_unit, size = range.begin() + range.size() - begin;
  if (!storage_.reserve(size / 8 + 1, true)) return false;
  begin_ = begin;
  size_ = size;
  unwritten_.store(reinterpret_cast<std::atomic<std::uint8_t>*>(storage_.begin()));
  return true;
}

bool WrittenMap::forget(const Reservation& range, std::uint64_t address, std::uint64_t size) {
  if (!cover(range)) return false;
  set(address, size, true);
  return true;
}

bool WrittenMap::share(const Reservation& range, std::uint64_t address, std::uint64_t size, SharedPages& marks,
                       std::uint64_t offset) {
  return cover(range) && marks.show(storage_.begin() + (address - begin_) / 8, offset / 8, size / 8);
}

void WrittenMap::unshare(std::uint64_t address, std::uint64_t size) {
  (void)SharedPages::hide(storage_.begin() + (address - begin_) / 8, size / 8);
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
