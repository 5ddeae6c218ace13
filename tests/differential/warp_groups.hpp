// The programs of wgmma: each type, with the layouts that matrix descriptors can describe.
#pragma once

#include "host_program.hpp"

#include <vector>

namespace differential {

std::vector<HostProgram> warp_group_programs();

}  // namespace differential
