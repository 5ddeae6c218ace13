// What Dim3 does with a size that is none.
#pragma once

#include <kiln/export.hpp>

namespace kiln::detail {

/// Throws ArgumentError for a dimension that no 32-bit unsigned integer holds.
[[noreturn]] KILN_EXPORT void throw_dimension_out_of_range(char axis, bool negative, unsigned long long magnitude);

}  // namespace kiln::detail
