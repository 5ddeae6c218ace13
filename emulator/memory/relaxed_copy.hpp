// Copies and fills of memory that kernels may access at the same time, without a data race on the host.
#pragma once

#include "emulator/memory/relaxed_values.hpp"

#include <cstddef>
#include <cstdint>

namespace kiln::emulator {

/// `count` values from `at` on, which is aligned to T.
template <class T>
void relaxed_fill(std::byte* at, T value, std::size_t count) noexcept {
  constexpr std::size_t in_word = sizeof(std::uint64_t) / sizeof(T);
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < in_word; ++i) word |= std::uint64_t{value} << (8 * sizeof(T) * i);
  for (; count != 0; count -= 1, at += sizeof(T)) {
    for (; reinterpret_cast<std::uintptr_t>(at) % sizeof(word) == 0 && count > in_word; count -= in_word) {
      relaxed_store(reinterpret_cast<std::uint64_t*>(at), word);
      at += sizeof(word);
    }
    relaxed_store(reinterpret_cast<T*>(at), value);
  }
}

/// As memmove. A value that is aligned on both sides is moved as a whole: a kernel may be polling it.
void relaxed_copy(void* to, const void* from, std::size_t size) noexcept;

}  // namespace kiln::emulator
