// Reports of stopped kernels.
#pragma once

#include "emulator/machine/cluster.hpp"

#include <cstdint>
#include <string>

namespace kiln::emulator {

// Reports of several lines: what happened, in which thread of which kernel, at which line of the PTX and of the CUDA
// source.
/// A fault of the warp that ran last.
std::string fault_report(const Block& block, const Fault& fault);
/// A cluster, or a block without one, whose threads all wait for each other.
std::string deadlock_report(const Cluster& cluster);
/// A launch that exceeds the time limit, when `begun` of `all` blocks have begun.
std::string time_limit_report(const Cluster& cluster, std::uint64_t begun, std::uint64_t all);

}  // namespace kiln::emulator
