// Lists of headers, as host compilers write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The prerequisites of all rules of a text for make (SUNPRO_DEPENDENCIES of GCC), without repetition, in order.
std::vector<std::string> read_prerequisites(std::string_view text);

/// The names of a list by Clang (CC_PRINT_HEADERS_FILE), a line each, without repetition, in order.
std::vector<std::string> read_header_lines(std::string_view text);

}  // namespace kiln
