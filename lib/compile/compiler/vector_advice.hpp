// CUDA's vector types, such as float3, used as if they were classes or numbers.
#pragma once

#include "compile/compiler/compile_message.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace kiln {

/// How many numbers such a type has: 3 of "float3" and "const float3", 4 of "double4_16a"; 0 of other types.
std::size_t vector_size(std::string_view type);

/// What to write in place of a constructor, an operator or a conversion that they do not have, or of threadIdx without
/// a component; empty for other errors.
std::string vector_advice(const Diagnostic& error, std::string_view line);

}  // namespace kiln
