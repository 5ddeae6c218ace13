// C++ type names as text: those of the host's types, and comparison with those in a kernel's symbol.
#pragma once

#include <string>
#include <string_view>
#include <typeinfo>

namespace kiln {

/// As a person writes it, in the form that demangled symbols have: "float const*".
std::string type_name(const std::type_info& type);

/// Whether a value of the host's type can be meant for a parameter of the kernel's: builtin scalars and pointers to
/// them must be the same, const, volatile and restrict apart; void* fits every pointer; a class or enumeration fits
/// every other non-pointer and a pointer to one every other pointer to one, as their names may differ.
bool types_fit(std::string_view kernel_type, std::string_view host_type);

}  // namespace kiln
