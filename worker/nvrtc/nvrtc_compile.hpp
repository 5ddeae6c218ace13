// Compiles by NVRTC: one, and with another attempt after each error that Kiln has an answer to.
#pragma once

#include "compile/compiler/compiler_job.hpp"
#include "compile/request/request.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"
#include "worker/nvrtc/precompiled_headers.hpp"

namespace kiln {

/// Compiles on a thread of its own (large_stack.hpp). An option of Kiln's own that this NVRTC does not know is left
/// out. Throws CompileError, CompileStopped, or ToolkitError where NVRTC itself is at fault. The job's stop is noticed
/// before the compile, and in it only where NVRTC asks for it (12.8 and later, behind its front end): a worker can be
/// ended at once.
CompilerOutput compile_with_nvrtc(const NvrtcLibrary& nvrtc, const CompilerJob& job, PrecompiledHeaders* pch = nullptr);

/// Compiles request.job, here or in a worker. Headers that NVRTC lacks are given stand-ins, unless a folder of the
/// search has one; texture and surface references; then types of nvcc's host headers; then -default-device for
/// unannotated functions: each only after the source or a refusal shows the need of it, and noted in the request.
/// Throws CompileError; CompilerOutput::nvcc_needed where nvcc may take what is refused and the request allows that.
CompilerOutput compile_by_attempts(Request& request, PrecompiledHeaders* pch = nullptr);

}  // namespace kiln
