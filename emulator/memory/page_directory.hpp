// Which bytes of an address range may be accessed. Answered without a lock, for every load and store of a kernel.
#pragma once

#include "emulator/memory/reservation.hpp"

#include <atomic>
#include <cstdint>

namespace kiln::emulator {

/// A page has a count of valid bytes at its beginning. Pages of small blocks (malloc in kernels) are packed: there each
/// granule of 16 bytes has such a count.
class PageDirectory {
 public:
  static constexpr std::uint64_t page_size = 4096, granule_size = 16;

  /// Covers [begin, begin + size). False if the host has no memory for the directory.
  bool cover(std::uint64_t begin, std::uint64_t size);

  bool covers(std::uint64_t address) const noexcept { return address - begin_ < size_; }
  bool readable(std::uint64_t address, std::uint64_t size) const noexcept {
    return fits(address, size, page(address)) || readable_slowly(address, size, false);
  }
  bool writable(std::uint64_t address, std::uint64_t size) const noexcept {
    const std::uint16_t entry = page(address);
    return (entry < read_only && fits(address, size, entry)) || readable_slowly(address, size, true);
  }
  /// Whether the whole page of the address may be accessed.
  bool whole_page(std::uint64_t address, bool write) const noexcept {
    const unsigned entry = page(address);
    return entry == page_size || (!write && entry == (page_size | read_only));
  }

  // Changes. `begin` must be the beginning of a page.
  void set_valid(std::uint64_t begin, std::uint64_t size, bool constant);
  void set_packed(std::uint64_t begin, std::uint64_t size);
  void clear(std::uint64_t begin, std::uint64_t size);
  /// A block in packed pages; `begin` must be the beginning of a granule.
  void set_block(std::uint64_t begin, std::uint64_t size, bool valid);

 private:
  // An entry is a count of bytes with these bits.
  static constexpr unsigned count_bits = 0x1FFF, packed = 0x4000, read_only = 0x8000;

  std::uint16_t page(std::uint64_t address) const noexcept {
    return pages_[(address - begin_) / page_size].load(std::memory_order_relaxed);
  }
  static bool fits(std::uint64_t address, std::uint64_t size, unsigned entry) noexcept {
    return address % page_size + size <= (entry & count_bits);
  }
  bool readable_slowly(std::uint64_t address, std::uint64_t size, bool write) const noexcept;
  bool block_holds(std::uint64_t address, std::uint64_t size) const noexcept;
  void set_pages(std::uint64_t begin, std::uint64_t size, unsigned entry);

  std::uint64_t begin_ = 0, size_ = 0;
  std::atomic<std::uint16_t>* pages_ = nullptr;
  std::atomic<std::uint8_t>* granules_ = nullptr;  // of packed pages: how many of the 16 bytes are valid
  Reservation storage_;
};

}  // namespace kiln::emulator
