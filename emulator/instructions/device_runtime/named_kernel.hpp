// Kernels that other kernels name by their address.
#pragma once

#include "emulator/machine/code.hpp"
#include "emulator/machine/launch.hpp"

#include <cstdint>

namespace kiln::emulator {

/// Null for an address that is no kernel's.
const Kernel* kernel_at(std::uint64_t address);
/// The dynamic shared memory in bytes that a launch of the kernel by the running one may have.
std::uint64_t max_dynamic_shared(const Kernel& kernel, const LaunchRequest& running);

}  // namespace kiln::emulator
