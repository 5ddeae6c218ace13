// A request put to nvcc.
#pragma once

#include "compile/compiler_job.hpp"
#include "compile/request.hpp"

namespace kiln {

/// A RunCompiler (make_code.hpp): nvcc, with what Kiln has for sources that lack something.
CompilerOutput run_nvcc(Request& request);

}  // namespace kiln
