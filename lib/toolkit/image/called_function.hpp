// Of the functions that a kernel calls, the one with the most local memory. For error texts: it reads all of the code.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

struct CalledFunction {
  std::string name;  // as a person writes it
  std::size_t local_bytes = 0;
};

/// Of a cubin or PTX. Of linked code, where functions have no kernel in their name, any function of it. Nothing where
/// none has local memory, and for other or damaged code.
std::optional<CalledFunction> largest_called_function(std::string_view code, const std::string& kernel) noexcept;

}  // namespace kiln
