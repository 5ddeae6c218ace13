// Headers of the system, which nvcc's host compiler has and NVRTC lacks.
#pragma once

#include <string>

namespace kiln {

/// Whether a host compiler of this machine finds a header of that name by itself, such as omp.h or bits/stdc++.h.
bool host_has_header(const std::string& name);

}  // namespace kiln
