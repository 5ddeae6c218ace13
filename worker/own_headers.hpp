// NVRTC's own headers for a compile that has no cache folder.
#pragma once

#include "compile/request/request.hpp"

#include <string>

namespace kiln {

/// Where the request needs them still, uses those that this process unpacks once, into its own folder for temporary
/// files, which ends with it. No dependency of the compile is there, as the compiler's identity says what they are. Why
/// it cannot, which is logged; else empty.
std::string give_own_headers(Request& request);

}  // namespace kiln
