// Accesses that need one check for a whole warp: side by side, all at the same place, or anywhere in shared memory.
#pragma once

#include "emulator/instructions/memory/memory_operand.hpp"
#include "emulator/memory/relaxed_values.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace kiln::emulator {

/// The bytes of a full warp. Where they are null, the addresses have another pattern, or one of them may be invalid:
/// host_addresses() knows.
struct WarpBytes {
  std::byte* first = nullptr;  // of lane 0
  bool adjacent = false;       // each lane's bytes lie after those of the lane before; else all lanes have the same
};

/// The host bytes of [address, address + size), if all are valid and the address is a multiple of `unit`.
inline std::byte* checked_bytes(Block& block, PlaceKind kind, std::uint64_t address, std::uint64_t size,
                                std::uint64_t unit, Access access) {
  if ((address & (unit - 1)) != 0) return nullptr;
  switch (kind) {
    case PlaceKind::shared:
    case PlaceKind::shared_extern:
    case PlaceKind::shared_cluster:
      return address <= block.shared_size() && size <= block.shared_size() - address ? block.shared() + address
                                                                                     : nullptr;
    case PlaceKind::global:
    case PlaceKind::generic: {
      const AddressSpace& memory = AddressSpace::get();
      const bool allowed = only_reads(access) ? memory.readable(address, size) : memory.writable(address, size);
      return allowed ? reinterpret_cast<std::byte*>(address) : nullptr;
    }
    default:
      return nullptr;
  }
}

/// `size`: of one lane.
template <class Base>
inline WarpBytes pattern_bytes(const Step& step, Warp& warp, const Base* base, unsigned size, Access access) {
  const Base first = base[0];
  Base apart = 0, differ = 0, next = first;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    apart |= base[lane] ^ next;
    differ |= base[lane] ^ first;
    next += size;
  }
  if (apart != 0 && differ != 0) return {};
  const auto kind = kind_of(step);
  const std::uint64_t place = static_cast<Base>(first + static_cast<Base>(address_offset(step, warp)));
  const std::uint64_t all = apart == 0 ? std::uint64_t{size} * warp_size : size;
  return {checked_bytes(warp.block(), kind, place, all, size, access), apart == 0};
}

/// The bytes of the active lanes, from operand 1 of a step that MemoryOperand::put filled.
inline WarpBytes warp_bytes(const Step& step, Warp& warp, LaneMask active, unsigned size, Access access) {
  if (active != all_lanes || warp.block().watches_accesses()) return {};
  return has_narrow_base(step) ? pattern_bytes(step, warp, warp.in<std::uint32_t>(step.operand[1]), size, access)
                               : pattern_bytes(step, warp, warp.in<std::uint64_t>(step.operand[1]), size, access);
}

/// f(0) to f(count - 1), without a loop.
template <unsigned count, class F>
inline void unrolled(F f) {
  [&]<unsigned... i>(std::integer_sequence<unsigned, i...>) { (f(i), ...); }
  (std::make_integer_sequence<unsigned, count>{});
}

template <unsigned count, class T>
inline void move_relaxed(T* to, const T* from) {
  constexpr unsigned together = count < 16 ? count : 16;
  static_assert(count % together == 0);
  for (unsigned begin = 0; begin < count; begin += together)
    unrolled<together>([=](unsigned i) { relaxed_store(to + begin + i, relaxed_load(from + begin + i)); });
}

/// Moves the values of a warp, which lie side by side. Those of device memory may be accessed by other host threads.
template <unsigned count, class T>
inline void move_values(T* to, const T* from, bool in_shared) {
  if (in_shared) {  // a cluster runs on one host thread
    std::memcpy(to, from, sizeof(T) * count);
    return;
  }
  using Word = std::uint64_t;
  const auto places = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
  if (sizeof(T) < sizeof(Word) && places % sizeof(Word) == 0)
    return move_relaxed<sizeof(T) * count / sizeof(Word)>(reinterpret_cast<Word*>(to),
                                                          reinterpret_cast<const Word*>(from));
  move_relaxed<count>(to, from);
}

/// The places of the active lanes in shared memory, as offsets.
struct SharedPlaces {
  std::byte* begin = nullptr;  // null: host_addresses() knows
  alignas(64) std::uint32_t offset[warp_size];
  template <class T>
  T* pointer(unsigned lane) const {
    return reinterpret_cast<T*>(begin + offset[lane]);
  }
};

/// One test for all lanes: the sign bit shows an offset that is too large.
template <class Base>
inline bool take_offsets(const Base* base, Base from, Base last, LaneMask active, unsigned size, SharedPlaces& places) {
  Base over = 0, low = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const Base place = base[lane] + from, at = (active & lane_bits[lane]) != 0 ? place : Base{0};
    over |= (last - at) | at;
    low |= at;
    places.offset[lane] = static_cast<std::uint32_t>(at);
  }
  return (over >> (8 * sizeof(Base) - 1)) == 0 && (low & (size - 1)) == 0;
}

/// Finds the places of the active lanes of an access to shared memory.
inline void find_shared(const Step& step, Warp& warp, LaneMask active, unsigned size, SharedPlaces& places) {
  Block& block = warp.block();
  const std::uint64_t limit = block.shared_size();
  if (!is_shared(kind_of(step)) || block.watches_accesses() || limit < size) return;
  const std::uint64_t from = address_offset(step, warp), last = limit - size;
  const bool all_valid = has_narrow_base(step)
                             ? take_offsets(warp.in<std::uint32_t>(step.operand[1]), static_cast<std::uint32_t>(from),
                                            static_cast<std::uint32_t>(last), active, size, places)
                             : take_offsets(warp.in<std::uint64_t>(step.operand[1]), from, last, active, size, places);
  if (all_valid) places.begin = block.shared();
}

}  // namespace kiln::emulator
