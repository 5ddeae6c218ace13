// Memory that blocks on several cores touch at once, without a data race of the host's own.
#pragma once

#include <atomic>
#include <cstddef>

namespace kiln::emulator {

/// `at` is aligned to T.
template <class T>
T relaxed_load(const std::byte* at) noexcept {
  return std::atomic_ref<T>(*reinterpret_cast<T*>(const_cast<std::byte*>(at))).load(std::memory_order_relaxed);
}

template <class T>
void relaxed_store(std::byte* at, T value) noexcept {
  std::atomic_ref<T>(*reinterpret_cast<T*>(at)).store(value, std::memory_order_relaxed);
}

}  // namespace kiln::emulator
