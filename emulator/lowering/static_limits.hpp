// Sizes of a module that no device has, whether its kernels use them or not.
#pragma once

#include "emulator/lowering/shared_layout.hpp"
#include "emulator/ptx/module.hpp"

namespace kiln::emulator {

/// Throws ptxas's error if a kernel's parameters, its static shared memory or the module's constants are too large, and
/// one of its own if a function's local memory is, which ptxas accepts. Threads and clusters are the launch's to check.
void check_static_limits(const ptx::Module& module, const SharedLayout& shared);

}  // namespace kiln::emulator
