// Comparison of the host's C++ type names (base/type_name.hpp) with those in a kernel's symbol.
#pragma once

#include <string_view>

namespace kiln {

/// Whether a value of the host's type can be meant for a parameter of the kernel's: builtin scalars and pointers to
/// them must be the same, const, volatile and restrict apart; void* fits every pointer; a class or enumeration fits
/// every other non-pointer and a pointer to one every other pointer to one, as their names may differ.
bool types_fit(std::string_view kernel_type, std::string_view host_type);

}  // namespace kiln
