// The ways in which memory is accessed.
#pragma once

#include <cstdint>

namespace kiln::emulator {

/// Those of strong loads and stores (.relaxed, .acquire, .release) and read_write are atomic: among each other they
/// never race.
enum class Access : std::uint8_t { read, write, read_write, strong_read, strong_write };
constexpr bool only_reads(Access access) { return access == Access::read || access == Access::strong_read; }
constexpr bool reads(Access access) { return access != Access::write && access != Access::strong_write; }
constexpr bool is_atomic(Access access) { return access != Access::read && access != Access::write; }

}  // namespace kiln::emulator
