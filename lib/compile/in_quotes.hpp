#pragma once

#include <string>
#include <string_view>

namespace kiln {

/// The text in double quotes, its quotes and backslashes escaped: as #line, GCC's files of options and Clang's take it.
std::string in_quotes(std::string_view text);

}  // namespace kiln
