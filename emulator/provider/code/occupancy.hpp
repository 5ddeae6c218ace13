// Occupancy of a multiprocessor.
#pragma once

#include "emulator/provider/code/function.hpp"

#include <cstddef>

namespace kiln::emulator {

/// Resident blocks per multiprocessor for that block size and dynamic shared memory; 0 if not even one fits.
int resident_blocks(const FunctionState& function, int block_size, std::size_t dynamic_shared);
/// Dynamic shared memory in bytes that a launch may have: the usual limit of the device, or the one that the program
/// set.
std::size_t max_dynamic_shared(const FunctionState& function);
/// The largest limit that the program may set.
std::size_t max_dynamic_shared_opt_in(const FunctionState& function);

}  // namespace kiln::emulator
