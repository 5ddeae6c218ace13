// How reports name an address.
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

}  // namespace kiln::emulator
