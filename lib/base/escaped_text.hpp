// Texts between double quotes.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

/// The text in double quotes, its own quotes and backslashes escaped, as GCC's and Clang's files of options take it.
std::string escaped_text(std::string_view text);

/// The same for a name after #line, which has to stay on its line: a line's end is escaped, too.
std::string line_name(std::string_view name);

/// The text as compilers write it between the quotes of PTX: bytes that are no printable ASCII in octal.
std::string ptx_escaped(std::string_view text);

/// The text that escapes of these kinds stand for.
std::string unescaped(std::string_view text);

}  // namespace kiln
