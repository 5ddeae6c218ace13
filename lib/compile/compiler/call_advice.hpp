// What to do about a call, or an operator, with other types than there are.
#pragma once

#include "compile/compiler/compiler_log.hpp"

#include <string>
#include <string_view>

namespace kiln {

/// A sentence about the arguments of a call, mostly of one of CUDA's functions, or about the operands of an operator,
/// for which no function fits, or several do: a mask, a pointer, a cast or another function. Empty for other errors.
/// `line` is that of the error's place.
std::string call_advice(const Diagnostic& error, std::string_view line, std::string_view log);

}  // namespace kiln
