// Whether this process may call the emulator.
#pragma once

#include <cuda.h>

namespace kiln::emulator {

/// What cuInit does first; may be called again.
CUresult initialise() noexcept;
/// CUDA_ERROR_NOT_INITIALIZED before initialise(), and in a child of fork whose parent had called it: the threads that
/// work for streams are the parent's.
CUresult check_initialised() noexcept;

}  // namespace kiln::emulator
