// What a kernel for strided views begins with, behind lane_text: places of elements by their strides.
#pragma once

#include <string_view>

namespace kiln {

/// CUDA C++.
std::string_view stride_text();

}  // namespace kiln
