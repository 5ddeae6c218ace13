// One compile by nvcc.
#pragma once

#include "base/process_runner.hpp"
#include "compile/compiler_job.hpp"

#include <string>

namespace kiln {

/// Runs that nvcc in a private folder. Name expressions become references behind the source. Throws CompileError with
/// the command line, both streams and numbered lines; CompileStopped where the job's stop is due; ToolkitError where
/// nvcc itself is at fault.
CompilerOutput compile_with_nvcc(const std::string& nvcc, const CompilerJob& job,
                                 ProcessRunner& runner = ProcessRunner::real());

/// The words of NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS, which stand before and behind all others; the compile itself
/// hides both variables from nvcc.
std::vector<std::string> nvcc_environment_options_before();
std::vector<std::string> nvcc_environment_options_after();

}  // namespace kiln
