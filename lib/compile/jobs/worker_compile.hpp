// The compilers, in another process: what a host calls. Each function is its namesake behind the line between the
// processes, with the environment of this process. A worker that dies of a job is replaced once for it; a second death
// is the error. A stop that is due ends the worker with all that it started. Thread-safe, also in a child of fork.
#pragma once

#include "compile/code/made_code.hpp"
#include "compile/jobs/worker_job.hpp"
#include "compile/nvvm/nvvm_request.hpp"

#include <kiln/compile.hpp>

#include <string>
#include <string_view>

namespace kiln {

/// make_code(). Throws CompileError, CompileStopped, ToolkitError, and WorkerError where no process can be started, as
/// all of these do. With a folder in `pch` the worker uses and makes precompiled headers.
MadeCode make_code_in_worker(const Request& request, bool keep, const PchPlace& pch = {});

/// run_nvvm().
NvvmCode run_nvvm_in_worker(std::string_view ir, const Request& request);

/// The output of a compile that only preprocesses.
std::string preprocess_in_worker(const std::string& nvcc, const CompilerJob& job);

/// As that nvcc reports it. Throws ToolkitError where it does not.
NvccVersion nvcc_version_in_worker(const std::string& nvcc);

}  // namespace kiln
