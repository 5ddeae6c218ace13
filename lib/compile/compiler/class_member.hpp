// Members that a class does not have.
#pragma once

#include "compile/compiler/compiler_log.hpp"

#include <string>
#include <string_view>

namespace kiln {

/// A sentence about a member that is not there, as in threadIdx.X: the members that there are, of CUDA's vector types
/// and of classes of its libraries, or the nearest word of the source; or about "." and "->". Empty for other errors.
std::string class_member_advice(const Diagnostic& error, std::string_view source);

}  // namespace kiln
