#include "emulator/memory/reservation.hpp"

#include <sys/mman.h>

#include <algorithm>

namespace kiln::emulator {
namespace {

// Grows in large steps, so that the host has one mapping however many allocations there are.
constexpr std::uint64_t usable_step = std::uint64_t{256} << 20;

void* pointer_to(std::uint64_t address) { return reinterpret_cast<void*>(address); }

}  // namespace

Reservation::~Reservation() {
  if (size_ != 0) munmap(pointer_to(begin_), size_);
}

bool Reservation::reserve(std::uint64_t size, bool usable) {
  const int protection = usable ? PROT_READ | PROT_WRITE : PROT_NONE;
  void* const range = mmap(nullptr, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) return false;
  begin_ = reinterpret_cast<std::uint64_t>(range);
  size_ = size;
  usable_end_ = usable ? begin_ + size : begin_;
  return true;
}

bool Reservation::make_usable(std::uint64_t end) {
  if (end <= usable_end_) return true;
  const std::uint64_t steps = (end - begin_ + usable_step - 1) / usable_step;
  const std::uint64_t new_end = begin_ + std::min(size_, steps * usable_step);
  if (mprotect(pointer_to(usable_end_), new_end - usable_end_, PROT_READ | PROT_WRITE) != 0) return false;
  usable_end_ = new_end;
  return true;
}

void Reservation::give_back(std::uint64_t address, std::uint64_t size) {
  madvise(pointer_to(address), size, MADV_DONTNEED);
}

}  // namespace kiln::emulator
