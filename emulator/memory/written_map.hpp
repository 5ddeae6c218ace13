// Which bytes of device memory have never been written: for the check of uninitialised reads.
#pragma once

#include "emulator/memory/reservation.hpp"
#include "emulator/memory/shared_pages.hpp"

#include <atomic>
#include <cstdint>

namespace kiln::emulator {

/// One bit for each byte of a range; allocated when first needed. mark() and written() are lock-free.
class WrittenMap {
 public:
  /// Marks bytes of `range` as not written. False if the host has no memory for the map.
  bool forget(const Reservation& range, std::uint64_t address, std::uint64_t size);
  /// The marks of memory that can be seen at several addresses are in a file of their own, at an eighth of the offset
  /// of the memory's: `range` shows them for the bytes at `address` from now on. Both are multiples of 2^21.
  bool share(const Reservation& range, std::uint64_t address, std::uint64_t size, SharedPages& marks,
             std::uint64_t offset);
  void unshare(std::uint64_t address, std::uint64_t size);
  void mark(std::uint64_t address, std::uint64_t size) noexcept { set(address, size, false); }
  bool written(std::uint64_t address, std::uint64_t size) const noexcept;

 private:
  bool cover(const Reservation& range);
  void set(std::uint64_t address, std::uint64_t size, bool unwritten) noexcept;

  Reservation storage_;
  std::uint64_t begin_ = 0, size_ = 0;
  std::atomic<std::atomic<std::uint8_t>*> unwritten_{nullptr};  // one bit a byte; 0: written
};

}  // namespace kiln::emulator
