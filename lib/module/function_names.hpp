// The names of kernels in a source text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The words of a CUDA C++ text that stand before "(" somewhere behind a __global__, comments and text literals among
/// them: good enough to choose a suggestion from.
std::vector<std::string> function_names_in(std::string_view source);

}  // namespace kiln
