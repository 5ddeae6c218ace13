// Whether this process may call the emulator, and the kernel that failed in it.
#pragma once

#include <cuda.h>

#include <string>

namespace kiln::emulator {

/// Called by cuInit; may be called again.
CUresult initialise() noexcept;
/// CUDA_ERROR_NOT_INITIALIZED before initialise(), and in a child of fork whose parent had called it: the child does
/// not have the worker threads of the parent. CUDA_ERROR_DEINITIALIZED at exit, for what was there before initialise().
CUresult check_initialised() noexcept;

/// The error of the first kernel that failed, else CUDA_SUCCESS. As on two H200s, every context of every device returns
/// it, new contexts included. Nothing clears it: not destroying the context, nor cuDevicePrimaryCtxReset, which returns
/// CUDA_SUCCESS.
CUresult kernel_failure() noexcept;
/// Records a failure and its report. Only the first one counts.
void set_kernel_failure(CUresult error, const std::string& report = {});
std::string kernel_failure_report();

}  // namespace kiln::emulator
