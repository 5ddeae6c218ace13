// What the sources of reductions and scans begin with: values put together in a warp, in a block and in a grid.
#pragma once

#include <string_view>

namespace kiln {

/// CUDA C++, behind lane_text() and value_functions(): values that go from thread to thread.
std::string_view shuffle_text();

/// Behind shuffle_text(), where there is a neutral element: the end of a reduction.
std::string_view reduce_text();

}  // namespace kiln
