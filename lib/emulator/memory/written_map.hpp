// Which bytes of device memory have never been written: for the check of reads of them.
#pragma once

#include "emulator/memory/reservation.hpp"

#include <atomic>
#include <cstdint>

namespace kiln::emulator {

/// A bit for each byte of a range; made when first needed. All but forget() are lock-free.
class WrittenMap {
 public:
  /// The bytes of `range` there have no value yet. False where the host has no room for the map.
  bool forget(const Reservation& range, std::uint64_t address, std::uint64_t size);
  void mark(std::uint64_t address, std::uint64_t size) noexcept { set(address, size, false); }
  bool written(std::uint64_t address, std::uint64_t size) const noexcept;

 private:
  void set(std::uint64_t address, std::uint64_t size, bool unwritten) noexcept;

  Reservation storage_;
  std::uint64_t begin_ = 0, size_ = 0;
  std::atomic<std::atomic<std::uint8_t>*> unwritten_{nullptr};  // one bit a byte: as zeros all is written
};

}  // namespace kiln::emulator
