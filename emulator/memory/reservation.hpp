// A reserved range of host addresses. A page takes no memory until it is used.
#pragma once

#include <cstdint>

namespace kiln::emulator {

class Reservation {
 public:
  Reservation() = default;
  ~Reservation();
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  /// Reserves the range, filled with zeros. False if the process cannot have one of that size.
  bool reserve(std::uint64_t size, bool usable);
  /// Makes the bytes below `end` usable, for good. False if the host refuses.
  bool make_usable(std::uint64_t end);
  /// Releases the pages: the range then reads as zeros.
  void give_back(std::uint64_t address, std::uint64_t size);

  std::uint64_t begin() const { return begin_; }
  std::uint64_t size() const { return size_; }

 private:
  std::uint64_t begin_ = 0, size_ = 0, usable_end_ = 0;
};

}  // namespace kiln::emulator
