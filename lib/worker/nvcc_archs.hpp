// What an nvcc compiles for.
#pragma once

#include "worker/process_runner.hpp"

#include <string>
#include <vector>

namespace kiln {

/// Compute capabilities (90, 100), ascending, as that nvcc itself lists them; empty where it does not list them. Asked
/// until it has answered, once a process and nvcc. For one thread.
std::vector<int> nvcc_archs(const std::string& nvcc, ProcessRunner& runner = ProcessRunner::real());

}  // namespace kiln
