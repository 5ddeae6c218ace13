// One compile by libnvvm.
#pragma once

#include "compile/jobs/worker_job.hpp"

namespace kiln {

/// Compiles on a thread of its own, in this process. Throws CompileError, CompileStopped (between two steps),
/// ToolkitError.
NvvmCode run_nvvm(const NvvmJob& job);

}  // namespace kiln
