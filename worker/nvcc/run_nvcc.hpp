// A compile by nvcc.
#pragma once

#include "compile/compiler/compiler_job.hpp"
#include "compile/request/request.hpp"
#include "worker/recording/file_record.hpp"

namespace kiln {

/// As a RunCompiler (make_code.hpp): nvcc, with what Kiln has for sources that lack something. The file accesses of
/// nvcc's programs in all attempts are added to `record`, where there is one.
CompilerOutput run_nvcc(Request& request, FileRecord* record = nullptr);

}  // namespace kiln
