// Alignment of offsets and sizes.
#pragma once

#include <cstdint>

namespace kiln::emulator {

/// The smallest multiple of `alignment` that is not smaller than the offset; the offset itself if `alignment` is 0.
constexpr std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) {
  return alignment <= 1 ? offset : (offset + alignment - 1) / alignment * alignment;
}

}  // namespace kiln::emulator
