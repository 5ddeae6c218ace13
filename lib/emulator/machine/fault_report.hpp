// What people read when a kernel is stopped.
#pragma once

#include "emulator/machine/block.hpp"

#include <cstdint>
#include <string>

namespace kiln::emulator {

// Several lines each: what happened, to which thread of which kernel, at which line of the PTX and of the CUDA source.
/// Of a fault of the warp that ran last.
std::string fault_report(const Block& block, const Fault& fault);
/// Of a block none of whose threads will ever go on.
std::string deadlock_report(const Block& block);
/// Of a launch that runs too long, when so many of all blocks have begun.
std::string time_limit_report(const Block& block, std::uint64_t begun, std::uint64_t all);

}  // namespace kiln::emulator
