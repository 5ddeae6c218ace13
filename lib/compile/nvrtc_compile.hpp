// One compile by NVRTC.
#pragma once

#include "compile/compiler_job.hpp"
#include "toolkit/nvrtc_library.hpp"

#include <string>

namespace kiln {

/// Compiles on a thread of its own (large_stack.hpp). An option of Kiln's own that this NVRTC does not know is left
/// out. Throws CompileError, or ToolkitError where NVRTC itself is at fault.
CompilerOutput compile_with_nvrtc(const NvrtcLibrary& nvrtc, const CompilerJob& job);

/// "NVRTC 13.0"
std::string nvrtc_title(const NvrtcLibrary& nvrtc);

}  // namespace kiln
