// A range of the host's addresses that memory is taken from: it costs nothing until its pages are used.
#pragma once

#include <cstdint>

namespace kiln::emulator {

class Reservation {
 public:
  Reservation() = default;
  ~Reservation();
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  /// Takes the range; false where the process cannot have one of that size. All of it is zero.
  bool reserve(std::uint64_t size, bool usable);
  /// Makes the bytes below `end` usable; they stay so. False where the host refuses.
  bool make_usable(std::uint64_t end);
  /// Gives the pages back: the range reads as zeros then.
  void give_back(std::uint64_t address, std::uint64_t size);

  std::uint64_t begin() const { return begin_; }
  std::uint64_t size() const { return size_; }

 private:
  std::uint64_t begin_ = 0, size_ = 0, usable_end_ = 0;
};

}  // namespace kiln::emulator
