// How the state spaces lie in one 64-bit generic address space.
#pragma once

#include <cstdint>

namespace kiln::emulator {

// Global and constant memory, and memory shared with the host, have host addresses, which are below 2^47. Each other
// space is a window above: window + offset. An address of the space itself (ld.shared, ld.local) is the offset.
constexpr std::uint64_t shared_window = 1ull << 48;
constexpr std::uint64_t local_window = 2ull << 48;
constexpr std::uint64_t param_window = 3ull << 48;  // a kernel's parameters
constexpr std::uint64_t code_window = 4ull << 48;   // functions: + 16 * (number of the function)
constexpr std::uint64_t window_size = 1ull << 32;

constexpr bool in_window(std::uint64_t address, std::uint64_t window) {
  return address >= window && address - window < window_size;
}

}  // namespace kiln::emulator
