// Texts between double quotes.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

/// The text in double quotes, its own quotes and backslashes escaped, as GCC's and Clang's files of options take it.
std::string escaped_text(std::string_view text);

/// The same for a name behind #line, which has to stay on its line: a line's end becomes a blank.
std::string line_name(std::string_view name);

}  // namespace kiln
