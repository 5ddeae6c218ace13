// The sizes of problems, as the command line writes them.
#pragma once

#include <kiln/problem_size.hpp>

#include <string>
#include <vector>

namespace kiln::tool {

/// "4096x4096".
std::string problem_text(const ProblemSize& problem);
/// Of one to three sizes.
ProblemSize problem_of(const std::vector<unsigned long long>& sizes);

}  // namespace kiln::tool
