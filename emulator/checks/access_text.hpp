// Texts about accesses.
#pragma once

#include "emulator/memory/address_space.hpp"
#include "emulator/memory/windows.hpp"
#include "emulator/ptx/module.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace kiln::emulator {

class Block;
class Warp;

/// "1 byte", "16 bytes"
std::string bytes_text(std::uint64_t count);
/// "reads 4 bytes at 0x10 of shared memory"
std::string access_text(ptx::Space space, std::uint64_t address, unsigned size, Access access);
/// ", 16 bytes into the allocation of 4096 bytes at 0x7f... (device memory)"; empty if none is near.
std::string allocation_text(std::uint64_t address);
/// ", 16 bytes into the variable tile of 1024 bytes", for an offset in shared memory; empty if it is in none.
std::string shared_variable_text(const Block& block, std::uint64_t offset);
/// Whether the process has something there.
bool is_mapped(std::uint64_t address);
/// "; the address is made from argument 1 (counted from 0)", for one outside of what may be accessed; else which
/// argument points to the nearest allocation. Empty where neither is known.
std::string argument_text(const Warp& warp, std::uint64_t address, const std::optional<Allocation>& nearest);
/// "; the address is that of the variable tile of 1024 bytes, 16 bytes past its end", for an offset outside the block's
/// shared memory: the array that the running instruction's address is made from, else the first or the last there is.
std::string shared_array_text(const Warp& warp, std::int64_t offset);

}  // namespace kiln::emulator
