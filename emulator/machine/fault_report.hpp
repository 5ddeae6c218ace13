// Reports of stopped kernels.
#pragma once

#include "emulator/machine/cluster.hpp"

#include <cstdint>
#include <string>

namespace kiln::emulator {

struct Grid;
struct ThreadPlace;

// Reports of several lines: what happened, in which thread of which kernel, at which line of the PTX and of the CUDA
// source.
/// A fault of the warp that ran last.
std::string fault_report(const Block& block, const Fault& fault);
/// Of a report its first line, and the lines of the CUDA source that a fault is at, and the other access of a race,
/// where it has them: for a driver's message, which is one line.
std::string short_report(const std::string& report);
/// A cluster, or a block without one, whose threads all wait for each other.
std::string deadlock_report(const Cluster& cluster);
/// A launch that exceeds the time limit, when `begun` of `all` blocks have begun. `last`: what the cluster's threads
/// did last.
std::string time_limit_report(const Cluster& cluster, const ExecutedSteps& last, std::uint64_t begun,
                              std::uint64_t all);
/// A grid that a kernel launched, when the time was up before it began.
std::string time_limit_report(const Grid& grid);
/// "\n  launched by kernel k, block (0,0,0), thread (0,0,0)", its place, and who launched that kernel.
std::string launched_by(const Grid& grid, const ThreadPlace& thread);

}  // namespace kiln::emulator
