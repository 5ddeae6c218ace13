// Which NVRTC knows an option first.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace kiln {

/// A line for each of the options that an NVRTC of that {major, minor} cannot know, with the version that it takes;
/// empty where there is none. What no table lists is left to the compiler to judge.
std::string options_of_newer_nvrtc(const std::vector<std::string>& options, std::pair<int, int> version);

}  // namespace kiln
