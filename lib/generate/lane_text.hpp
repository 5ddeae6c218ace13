// What the sources of generated kernels begin with: elements of a vector that go through registers in pieces of 16
// bytes.
#pragma once

#include <string_view>

namespace kiln {

/// CUDA C++. Defines namespace kiln_generated.
std::string_view lane_text();

}  // namespace kiln
