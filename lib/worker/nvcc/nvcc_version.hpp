// Which nvcc it is, as it says itself.
#pragma once

#include "worker/nvcc/process_runner.hpp"

#include <kiln/compile.hpp>

#include <string>

namespace kiln {

/// Of the nvcc at that path. Throws ToolkitError where it does not print one.
NvccVersion version_of_nvcc(const std::string& nvcc, ProcessRunner& runner = ProcessRunner::real());

}  // namespace kiln
