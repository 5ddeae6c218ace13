// Functions and conversions that take their arguments as values, by their names.
#pragma once

#include "generate/operation_tokens.hpp"

#include <cstddef>

namespace kiln {

/// Whether v[i], whose four tokens begin at `from`, is such an argument: `sqrtf(v[i])`, `float(v[i])`, `(float)v[i]`.
/// `program`: the other texts of the program, whose functions are unknown.
bool is_taken_as_value(const OperationTokens& statement, std::size_t from, const OperationTokens& program);

}  // namespace kiln
