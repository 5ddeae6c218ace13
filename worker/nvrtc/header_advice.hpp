// How to have a header that no folder has.
#pragma once

#include "compile/request/request.hpp"

#include <string>

namespace kiln {

/// For NVRTC's error about that header: which of NVIDIA's wheels has it, where the machine's headers lack that part,
/// and who has it where no wheel does. Begins with a line's end; empty where there is nothing to say.
std::string header_advice(const std::string& header, const Request& request, const std::string& nvrtc_title);

}  // namespace kiln
