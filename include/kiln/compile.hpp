// compile: from source text to code, through the cache. Needs no GPU and no driver.
#pragma once

#include <kiln/code_object.hpp>
#include <kiln/compile_options.hpp>
#include <kiln/export.hpp>

#include <string_view>

namespace kiln {

/// Compiles CUDA C++ with NVRTC, or finds the same compile in memory or on disk. Nothing in the process changes: the
/// driver is not initialised, the stack limit, the locale and signal handlers stay as they are. Without an explicit
/// arch the code is for the current device where this process uses the driver already; a Module made from it compiles
/// again for the device that it finds. Throws CompileError (the source is refused), ToolkitError (NVRTC is missing),
/// ArgumentError (an option makes no sense). A cache fault never throws. Safe to call from any thread, and in a child
/// of fork; but where another thread was compiling at the fork, a child can only take what the cache holds, and is told
/// so by a ToolkitError. Counterpart: pycuda.compiler.compile.
KILN_EXPORT CodeObject compile(std::string_view source, const CompileOptions& options = {});

}  // namespace kiln
