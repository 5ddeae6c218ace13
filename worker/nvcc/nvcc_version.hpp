// Which nvcc it is, and what it knows, as it says itself.
#pragma once

#include "worker/nvcc/process_runner.hpp"

#include <kiln/compile.hpp>
#include <kiln/error.hpp>

#include <string>
#include <vector>

namespace kiln {

/// A program that says it is another one than nvcc.
class NotNvccError : public ToolkitError {
  using ToolkitError::ToolkitError;
};

/// Of the nvcc at that path. Throws ToolkitError where it does not print one; NotNvccError where it prints another
/// program's.
NvccVersion version_of_nvcc(const std::string& nvcc, ProcessRunner& runner = ProcessRunner::real());

/// The compute capabilities (90, 100) that it knows, ascending; empty where it does not list them. Throws Error where
/// it does not start.
std::vector<int> archs_of_nvcc(const std::string& nvcc, ProcessRunner& runner = ProcessRunner::real());

}  // namespace kiln
