// Values in memory that other threads of the host may touch: moved by relaxed atomics of their own size.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kiln::emulator {

/// A .b128. Its halves are atomic each, as for the instructions that promise no more.
struct alignas(16) Bits128 {
  std::uint64_t low = 0, high = 0;
  bool operator==(const Bits128&) const = default;
};

template <class T>
inline T relaxed_load(const T* from) {
  return __atomic_load_n(from, __ATOMIC_RELAXED);
}
inline Bits128 relaxed_load(const Bits128* from) { return {relaxed_load(&from->low), relaxed_load(&from->high)}; }

template <class T>
inline void relaxed_store(T* to, T value) {
  __atomic_store_n(to, value, __ATOMIC_RELAXED);
}
inline void relaxed_store(Bits128* to, Bits128 value) {
  relaxed_store(&to->low, value.low);
  relaxed_store(&to->high, value.high);
}

}  // namespace kiln::emulator
