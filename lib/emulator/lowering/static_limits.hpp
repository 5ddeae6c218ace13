// Sizes of a module that ptxas refuses, whether its kernels use them or not.
#pragma once

#include "emulator/lowering/shared_layout.hpp"
#include "emulator/ptx/module.hpp"

namespace kiln::emulator {

/// Throws ptxas's error if a kernel's parameters, its static shared memory or the module's constants are too large.
/// Limits of a launch (local memory, threads, clusters) are not checked: ptxas accepts any value.
void check_static_limits(const ptx::Module& module, const SharedLayout& shared);

}  // namespace kiln::emulator
