// How the state spaces lie in one 64-bit generic address space, and the ways in which memory is accessed.
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

// An address of shared memory: the offset in a block's shared memory and, in the bits above, 0 for the block of the
// thread, or 1 + the rank of a block in its cluster, as mapa gives it.
constexpr unsigned shared_rank_shift = 24;
constexpr std::uint64_t shared_offset_mask = (1ull << shared_rank_shift) - 1;
// What no cluster has. One more would be the sign bits of a negative offset.
constexpr std::uint32_t largest_rank = 253;
constexpr bool names_a_rank(std::uint64_t shared_address) { return shared_address > shared_offset_mask; }
constexpr std::uint32_t rank_named(std::uint64_t shared_address) {
  return static_cast<std::uint32_t>(shared_address >> shared_rank_shift) - 1;
}

constexpr bool in_window(std::uint64_t address, std::uint64_t window) {
  return address >= window && address - window < window_size;
}

/// Kinds of access. The strong ones (loads and stores with .relaxed, .acquire or .release) and read_write are atomic:
/// they never race with each other.
enum class Access : std::uint8_t { read, write, read_write, strong_read, strong_write };
constexpr bool only_reads(Access access) { return access == Access::read || access == Access::strong_read; }
constexpr bool reads(Access access) { return access != Access::write && access != Access::strong_write; }
constexpr bool is_atomic(Access access) { return access != Access::read && access != Access::write; }

}  // namespace kiln::emulator
