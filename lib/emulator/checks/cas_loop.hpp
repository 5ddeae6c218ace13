// The plain load before a compare-and-swap loop.
#pragma once

#include "emulator/ptx/module.hpp"

#include <cstddef>

namespace kiln::emulator {

/// Whether an atom.cas of this function compares with the value that this load reads. The CUDA Programming Guide builds
/// other atomics in this way. An outdated value does no harm: the swap fails, and returns the current one.
bool is_cas_loop_load(const ptx::Function& function, std::size_t load);

}  // namespace kiln::emulator
