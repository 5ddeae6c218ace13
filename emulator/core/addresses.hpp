// Addresses and offsets: how reports name them, and how they are aligned.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <string>

namespace kiln::emulator {

/// "0x7f701c043fa0"
inline std::string address_text(std::uint64_t address) {
  std::array<char, 16> digits;
  return "0x" +
         std::string(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), address, 16).ptr);
}

/// The smallest multiple of `alignment` that is not smaller than the offset; the offset itself if `alignment` is 0.
constexpr std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) {
  return alignment <= 1 ? offset : (offset + alignment - 1) / alignment * alignment;
}

}  // namespace kiln::emulator
