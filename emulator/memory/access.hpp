// The ways in which memory is accessed.
#pragma once

#include <cstdint>

namespace kiln::emulator {

/// Kinds of access. The strong ones (loads and stores with .relaxed, .acquire or .release) and read_write are atomic:
/// they never race with each other.
enum class Access : std::uint8_t { read, write, read_write, strong_read, strong_write };
constexpr bool only_reads(Access access) { return access == Access::read || access == Access::strong_read; }
constexpr bool reads(Access access) { return access != Access::write && access != Access::strong_write; }
constexpr bool is_atomic(Access access) { return access != Access::read && access != Access::write; }

}  // namespace kiln::emulator
