// How long nvcc's programs take.
#pragma once

#include "compile/compiler/compiler_job.hpp"
#include "worker/nvcc/process_runner.hpp"

#include <string>

namespace kiln {

/// Of a compile of the job whose code nobody gets, as nvcc's programs make other code of unoptimised functions (-G,
/// -Ofc) where they write a trace. Nothing but its own length where nvcc writes none; never an error.
CompilerTimes nvcc_times(const std::string& nvcc, const CompilerJob& job, ProcessRunner& runner);

}  // namespace kiln
