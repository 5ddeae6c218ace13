// Compiles by NVRTC in another process, which can be ended, and beside which others compile too.
#pragma once

#include "compile/compiler_job.hpp"

namespace kiln {

/// Whether the worker program is there.
bool has_workers();

/// As compile_with_nvrtc, in a worker process: one that is idle, else a new one. Where the job's stop is due the worker
/// is killed. A worker that dies by itself is replaced once for the job, and then reported. Where no process can be
/// started now the compile is done in this one. Throws CompileError, CompileStopped, ToolkitError. Thread-safe, also in
/// a child of fork.
CompilerOutput compile_in_worker(const CompilerJob& job);

}  // namespace kiln
