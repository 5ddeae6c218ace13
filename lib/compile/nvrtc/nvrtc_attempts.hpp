// A compile by NVRTC, with another attempt after each error that Kiln has an answer to.
#pragma once

#include "compile/compiler/compiler_job.hpp"
#include "compile/request/request.hpp"

namespace kiln {

/// Compiles request.job, here or in a worker. Headers that NVRTC lacks are given stand-ins, unless a folder of the
/// search has one; texture and surface references; then types of nvcc's host headers; then -default-device for
/// unannotated functions: each only after the source or a refusal shows the need of it, and noted in the request.
/// Throws CompileError; CompilerOutput::nvcc_needed where nvcc may take what is refused and the request allows that.
CompilerOutput compile_by_attempts(Request& request);

}  // namespace kiln
