// Commands for people to repeat.
#pragma once

#include <string>
#include <vector>

namespace kiln {

/// The words as a shell takes them.
std::string shell_text(const std::vector<std::string>& words);

}  // namespace kiln
