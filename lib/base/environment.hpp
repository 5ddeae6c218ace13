// Environment variables.
#pragma once

#include <optional>
#include <string>

namespace kiln {

/// The variable's value; nothing where it is unset. An empty value counts as unset.
std::optional<std::string> environment(const char* name);

/// The first of the two that is set: Kiln's spelling, then PyCUDA's.
std::optional<std::string> environment(const char* name, const char* pycuda_name);

}  // namespace kiln
