// Environment variables. A process that runs with more rights than its user (set-user-id and the like) sees none of
// them: they are that user's word, not its own.
#pragma once

#include <optional>
#include <string>

namespace kiln {

/// The variable's value; nothing where it is unset. An empty value counts as unset.
std::optional<std::string> environment(const char* name);

/// The first of the two that is set: Kiln's spelling, then PyCUDA's.
std::optional<std::string> environment(const char* name, const char* pycuda_name);

/// Whether the variable is set, at any value, also an empty one.
bool environment_has(const char* name);

/// Whether this process runs with more rights than its user.
bool privileged_process();

}  // namespace kiln
