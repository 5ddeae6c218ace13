// Dependency files, as host compilers write them for make.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The prerequisites of all rules of a text, without repetition, in order.
std::vector<std::string> read_prerequisites(std::string_view text);

}  // namespace kiln
