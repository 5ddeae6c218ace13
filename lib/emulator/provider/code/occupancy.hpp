// How much of a kernel a multiprocessor can hold.
#pragma once

#include "emulator/provider/code/function.hpp"

#include <cstddef>

namespace kiln::emulator {

/// Blocks of that size with that dynamic shared memory, on one multiprocessor; 0 where not even one fits.
int resident_blocks(const FunctionState& function, int block_size, std::size_t dynamic_shared);
/// What a launch may have, in bytes: the device's usual limit, or what the program raised it to.
std::size_t max_dynamic_shared(const FunctionState& function);
/// The most that it can be raised to.
std::size_t max_dynamic_shared_opt_in(const FunctionState& function);

}  // namespace kiln::emulator
