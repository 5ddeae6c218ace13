#include "emulator/memory/relaxed_copy.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace kiln::emulator {
namespace {

// Moves bytes in the largest units that the alignment of both sides and the remaining size allow.
constexpr std::size_t largest_unit = 8;

std::size_t unit_of(const std::byte* to, const std::byte* from, std::size_t left) {
  const auto places = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
  const std::size_t aligned = std::size_t{1} << std::countr_zero(places | largest_unit);
  return std::min(aligned, std::bit_floor(left));
}

template <class Unit>
void move_units(std::byte* to, const std::byte* from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    relaxed_store(reinterpret_cast<Unit*>(to) + i, relaxed_load(reinterpret_cast<const Unit*>(from) + i));
}

void move_units(std::byte* to, const std::byte* from, std::size_t unit, std::size_t count) {
  switch (unit) {
    case 1:
      return move_units<std::uint8_t>(to, from, count);
    case 2:
      return move_units<std::uint16_t>(to, from, count);
    case 4:
      return move_units<std::uint32_t>(to, from, count);
    default:
      return move_units<std::uint64_t>(to, from, count);
  }
}

bool is_larger_aligned(const std::byte* to, const std::byte* from, std::size_t unit) {
  return ((reinterpret_cast<std::uintptr_t>(to) ^ reinterpret_cast<std::uintptr_t>(from)) & unit) == 0;
}

}  // namespace

void relaxed_copy(void* target, const void* source, std::size_t size) noexcept {
  auto* to = static_cast<std::byte*>(target);
  const auto* from = static_cast<const std::byte*>(source);
  // An overlapping copy need not be atomic by values: no kernel could follow it.
  if (static_cast<std::size_t>(to - from) < size) {
    std::memmove(to, from, size);
    return;
  }
  while (size != 0) {
    const std::size_t unit = unit_of(to, from, size);
    // One small unit; larger ones may be possible after it.
    const bool grows = unit < largest_unit && is_larger_aligned(to, from, unit);
    const std::size_t count = grows ? 1 : size / unit;
    move_units(to, from, unit, count);
    to += count * unit;
    from += count * unit;
    size -= count * unit;
  }
}

}  // namespace kiln::emulator
