// One spelling of options for both compilers.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// What NVRTC, or nvcc, spells otherwise is translated; what is unknown is handed on as it is.
std::vector<std::string> options_for_nvrtc(const std::vector<std::string>& options);
std::vector<std::string> options_for_nvcc(const std::vector<std::string>& options);

/// The first option that only nvcc can follow, such as -Xcompiler; nothing where NVRTC can follow all.
std::optional<std::string> option_for_nvcc_only(const std::vector<std::string>& options);

}  // namespace kiln
