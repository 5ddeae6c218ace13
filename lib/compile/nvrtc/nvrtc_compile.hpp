// One compile by NVRTC.
#pragma once

#include "compile/compiler/compiler_job.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"

namespace kiln {

/// Compiles on a thread of its own (large_stack.hpp). An option of Kiln's own that this NVRTC does not know is left
/// out. Throws CompileError, CompileStopped, or ToolkitError where NVRTC itself is at fault. The job's stop is noticed
/// before the compile, and in it only where NVRTC asks for it (12.8 and later, behind its front end): a worker can be
/// ended at once.
CompilerOutput compile_with_nvrtc(const NvrtcLibrary& nvrtc, const CompilerJob& job);

}  // namespace kiln
