// Sizes of a module that ptxas refuses, whether its kernels use them or not.
#pragma once

#include "emulator/lowering/shared_layout.hpp"
#include "emulator/ptx/module.hpp"

namespace kiln::emulator {

/// Throws what ptxas says: a kernel's parameters, its static shared memory, the module's constants. Limits of a launch
/// (local memory, threads, clusters) are not among them: ptxas takes whatever a text says.
void check_static_limits(const ptx::Module& module, const SharedLayout& shared);

}  // namespace kiln::emulator
