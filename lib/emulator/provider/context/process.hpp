// Whether this process may call the emulator.
#pragma once

#include <cuda.h>

namespace kiln::emulator {

/// Called by cuInit; may be called again.
CUresult initialise() noexcept;
/// CUDA_ERROR_NOT_INITIALIZED before initialise(), and in a child of fork whose parent had called it: the child does
/// not have the worker threads of the parent. CUDA_ERROR_DEINITIALIZED at exit, for what was there before initialise().
CUresult check_initialised() noexcept;

}  // namespace kiln::emulator
