// The programs that need arrays, textures and surfaces.
#pragma once

#include "host_program.hpp"

#include <vector>

namespace differential {

std::vector<HostProgram> texture_programs();

}  // namespace differential
