// The load before a loop of compare-and-swap.
#pragma once

#include "emulator/ptx/module.hpp"

#include <cstddef>

namespace kiln::emulator {

/// Whether the value of that load is, in this function, what an atom.cas compares with. The CUDA guide's way to make
/// atomics of any operation begins like that: an old value is no harm, as the swap then fails and gives the new one.
bool is_swap_guess(const ptx::Function& function, std::size_t load);

}  // namespace kiln::emulator
