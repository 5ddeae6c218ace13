// What nvcc takes from the environment, and what it is given of it.
#pragma once

#include <string>
#include <vector>

namespace kiln {

/// The options of NVCC_PREPEND_FLAGS and of NVCC_APPEND_FLAGS, taken apart as nvcc does: at blanks that no double
/// quotes enclose. They belong before and behind the user's own.
std::vector<std::string> nvcc_environment_options_before();
std::vector<std::string> nvcc_environment_options_after();

/// This process's environment for nvcc in a working folder of its own: without those options, in the C locale, with the
/// folder for temporary files. `dependency_file` (a name there, or empty) has a host compiler that is GCC note what it
/// reads.
std::vector<std::string> nvcc_environment(const std::string& dependency_file);

}  // namespace kiln
