// Text that others made, on a terminal.
#pragma once

#include <string>

namespace kiln::tool {

/// Such text must not control the terminal.
std::string printable(std::string text);

}  // namespace kiln::tool
