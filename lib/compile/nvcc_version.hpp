// Which nvcc it is, as it says itself.
#pragma once

#include "base/process_runner.hpp"

#include <kiln/compile.hpp>

#include <string>

namespace kiln {

/// Of the nvcc at that path: one process for each state of that file that this process meets. Throws ToolkitError where
/// it does not tell.
NvccVersion version_of_nvcc(const std::string& nvcc, ProcessRunner& runner = ProcessRunner::real());

}  // namespace kiln
