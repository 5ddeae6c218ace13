// What nvcc takes from the environment, and what it is given of it.
#pragma once

#include <string>
#include <vector>

namespace kiln {

/// The options of NVCC_PREPEND_FLAGS and of NVCC_APPEND_FLAGS, taken apart as nvcc does: at blanks that no double
/// quotes enclose. They belong before and behind the user's own.
std::vector<std::string> nvcc_environment_options_before();
std::vector<std::string> nvcc_environment_options_after();

/// The folders of CPATH and the like, absolute.
std::vector<std::string> folders_of_variable(const char* variable, const std::string& working_folder);

/// This process's environment for nvcc in a working folder of its own: without those options, in the C locale, with the
/// folder for temporary files, and with absolute include folders.
std::vector<std::string> nvcc_environment();

}  // namespace kiln
