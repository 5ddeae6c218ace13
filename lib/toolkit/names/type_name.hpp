// One spelling for the many that C++ has for a type or a template argument.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

/// "const unsigned *" and "unsigned int const*" both give "unsigned int const*", as the demangler writes it; template
/// arguments within are treated alike, down to deepest_name. Names stay as they are: nothing is looked up.
std::string canonical_type(std::string_view type);

/// A type, or an integer, character or truth literal by its value: "0x10u" gives "16", "'c'" and "(char)99" give "99".
std::string canonical_template_argument(std::string_view argument);

/// A name with its template arguments, if any, in canonical form.
std::string canonical_name(std::string_view name);

}  // namespace kiln
