// What an nvcc compiles for.
#pragma once

#include "worker/process_runner.hpp"

#include <string>
#include <vector>

namespace kiln {

/// Compute capabilities (90, 100), ascending, as that nvcc itself lists them; empty where it does not tell. Asked until
/// it has told, once a process and nvcc. For one thread.
std::vector<int> nvcc_archs(const std::string& nvcc, ProcessRunner& runner = ProcessRunner::real());

}  // namespace kiln
