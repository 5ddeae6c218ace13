// Memory that kernels on several cores, copies and fills touch at once, without a data race of the host's own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

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

/// `count` values from `at` on.
template <class T>
void relaxed_fill(std::byte* at, T value, std::size_t count) noexcept {
  constexpr std::size_t in_word = sizeof(std::uint64_t) / sizeof(T);
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < in_word; ++i) word |= std::uint64_t{value} << (8 * sizeof(T) * i);
  for (; count != 0; count -= 1, at += sizeof(T)) {
    for (; reinterpret_cast<std::uintptr_t>(at) % sizeof(word) == 0 && count > in_word; count -= in_word) {
      relaxed_store(at, word);
      at += sizeof(word);
    }
    relaxed_store(at, value);
  }
}

/// As memmove. A value at its own alignment, at both ends, is moved whole: a kernel may wait for it.
void relaxed_copy(void* to, const void* from, std::size_t size) noexcept;

}  // namespace kiln::emulator
