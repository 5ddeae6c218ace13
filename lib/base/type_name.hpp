// C++ type names of the host as text.
#pragma once

#include <string>
#include <typeinfo>

namespace kiln {

/// As a person writes it, in the form that demangled symbols have: "float const*".
std::string type_name(const std::type_info& type);

}  // namespace kiln
