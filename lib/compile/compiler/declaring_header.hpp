// Which header of CUDA's declares a name.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

/// "<curand_kernel.h>" for "curandState"; of a namespace, such as "cub", a header of its. Empty for other names.
std::string declaring_header(std::string_view name);

}  // namespace kiln
