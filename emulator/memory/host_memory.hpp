// How much memory the machine has.
#pragma once

#include <cstdint>

namespace kiln::emulator {

/// Bytes that this process may use: the memory of the machine, or the limit of its control group.
std::uint64_t host_memory_bytes();

}  // namespace kiln::emulator
