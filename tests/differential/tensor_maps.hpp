// The programs of tensor maps: boxes and pixels that are loaded, stored and reduced.
#pragma once

#include "host_program.hpp"

#include <vector>

namespace differential {

std::vector<HostProgram> tensor_map_programs();

}  // namespace differential
