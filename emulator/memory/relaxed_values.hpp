// Values in memory that other host threads may access: moved by relaxed atomics of their own size.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kiln::emulator {

/// A .b128. Processors do not move it atomically, so a lock serialises all accesses.
struct alignas(16) Bits128 {
  std::uint64_t low = 0, high = 0;
  bool operator==(const Bits128&) const = default;
};

template <class T>
inline T relaxed_load(const T* from) {
  return __atomic_load_n(from, __ATOMIC_RELAXED);
}
template <class T>
inline void relaxed_store(T* to, T value) {
  __atomic_store_n(to, value, __ATOMIC_RELAXED);
}
/// Compare-and-swap: stores `wanted` if the value is `expected`; otherwise sets `expected` to the value.
template <class T>
inline bool relaxed_exchange(T* place, T& expected, T wanted) {
  return __atomic_compare_exchange_n(place, &expected, wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/// The same for a value of 1, 2, 4 or 8 bytes, aligned to its size.
inline std::uint64_t relaxed_load(const std::byte* from, unsigned size) {
  switch (size) {
    case 1:
      return relaxed_load(reinterpret_cast<const std::uint8_t*>(from));
    case 2:
      return relaxed_load(reinterpret_cast<const std::uint16_t*>(from));
    case 4:
      return relaxed_load(reinterpret_cast<const std::uint32_t*>(from));
    default:
      return relaxed_load(reinterpret_cast<const std::uint64_t*>(from));
  }
}

inline void relaxed_store(std::byte* to, std::uint64_t value, unsigned size) {
  switch (size) {
    case 1:
      return relaxed_store(reinterpret_cast<std::uint8_t*>(to), static_cast<std::uint8_t>(value));
    case 2:
      return relaxed_store(reinterpret_cast<std::uint16_t*>(to), static_cast<std::uint16_t>(value));
    case 4:
      return relaxed_store(reinterpret_cast<std::uint32_t*>(to), static_cast<std::uint32_t>(value));
    default:
      return relaxed_store(reinterpret_cast<std::uint64_t*>(to), value);
  }
}

Bits128 relaxed_load(const Bits128* from);
void relaxed_store(Bits128* to, Bits128 value);
bool relaxed_exchange(Bits128* place, Bits128& expected, Bits128 wanted);

}  // namespace kiln::emulator
