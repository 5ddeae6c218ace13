// One compile by nvcc.
#pragma once

#include "compile/compiler/compiler_job.hpp"
#include "worker/nvcc/process_runner.hpp"
#include "worker/recording/file_record.hpp"

#include <string>

namespace kiln {

/// Runs that nvcc in a private folder. Name expressions become references after the source. Throws CompileError with
/// the command line, both streams and numbered lines; ToolkitError where nvcc itself is at fault. The process that
/// requested the job handles its stop: it ends this one. The file accesses of nvcc's programs are added to `record`,
/// where there is one, also where they fail.
CompilerOutput compile_with_nvcc(const std::string& nvcc, const CompilerJob& job,
                                 ProcessRunner& runner = ProcessRunner::real(), FileRecord* record = nullptr);

}  // namespace kiln
