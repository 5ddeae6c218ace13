// Texts about accesses.
#pragma once

#include "emulator/memory/access.hpp"
#include "emulator/ptx/module.hpp"

#include <cstdint>
#include <string>

namespace kiln::emulator {

/// "reads 4 bytes at 0x10 of shared memory"
std::string access_text(ptx::Space space, std::uint64_t address, unsigned size, Access access);
/// ", 16 bytes into the allocation of 4096 bytes at 0x7f... (device memory)"; empty if none is near.
std::string allocation_text(std::uint64_t address);

}  // namespace kiln::emulator
