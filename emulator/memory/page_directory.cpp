#include "emulator/memory/page_directory.hpp"

#include <algorithm>

namespace kiln::emulator {

bool PageDirectory::cover(std::uint64_t begin, std::uint64_t size) {
  const std::uint64_t page_bytes = size / page_size * sizeof(*pages_);
  if (!storage_.reserve(page_bytes + size / granule_size * sizeof(*granules_), true)) return false;
  // A fresh mapping is valid as an array of lock-free atomics with the value zero.
  pages_ = reinterpret_cast<std::atomic<std::uint16_t>*>(storage_.begin());
  granules_ = reinterpret_cast<std::atomic<std::uint8_t>*>(storage_.begin() + page_bytes);
  begin_ = begin;
  size_ = size;
  return true;
}

void PageDirectory::set_pages(std::uint64_t begin, std::uint64_t size, unsigned entry) {
  const std::uint64_t first = (begin - begin_) / page_size, count = (size + page_size - 1) / page_size;
  for (std::uint64_t i = first; i < first + count; ++i)
    pages_[i].store(static_cast<std::uint16_t>(entry), std::memory_order_relaxed);
}

void PageDirectory::set_valid(std::uint64_t begin, std::uint64_t size, bool constant) {
  const unsigned flags = constant ? read_only : 0;
  const std::uint64_t rest = size % page_size;
  set_pages(begin, size - rest, page_size | flags);
  if (rest != 0) set_pages(begin + size - rest, rest, static_cast<unsigned>(rest) | flags);
}

void PageDirectory::set_packed(std::uint64_t begin, std::uint64_t size) { set_pages(begin, size, packed); }

void PageDirectory::clear(std::uint64_t begin, std::uint64_t size) { set_pages(begin, size, 0); }

void PageDirectory::set_block(std::uint64_t begin, std::uint64_t size, bool valid) {
  for (std::uint64_t done = 0; done < size; done += granule_size) {
    const std::uint64_t count = valid ? std::min(granule_size, size - done) : 0;
    granules_[(begin - begin_ + done) / granule_size].store(static_cast<std::uint8_t>(count),
                                                            std::memory_order_relaxed);
  }
}

bool PageDirectory::block_holds(std::uint64_t address, std::uint64_t size) const noexcept {
  while (size != 0) {
    const std::uint64_t within = address % granule_size, part = std::min(size, granule_size - within);
    if (within + part > granules_[(address - begin_) / granule_size].load(std::memory_order_relaxed)) return false;
    address += part;
    size -= part;
  }
  return true;
}

// There is always an invalid page between two allocations, so adjacent valid bytes belong to the same one.
bool PageDirectory::readable_slowly(std::uint64_t address, std::uint64_t size, bool write) const noexcept {
  if (size > size_ - (address - begin_)) return false;
  while (size != 0) {
    const std::uint16_t entry = page(address);
    const std::uint64_t part = std::min(size, page_size - address % page_size);
    if (write && (entry & read_only) != 0) return false;
    if ((entry & packed) != 0 ? !block_holds(address, part) : !fits(address, part, entry)) return false;
    address += part;
    size -= part;
  }
  return true;
}

}  // namespace kiln::emulator
