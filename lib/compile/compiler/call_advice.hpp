// What to do about a call, or an operator, with other types than there are.
#pragma once

#include "compile/compiler/compile_message.hpp"

#include <string>

namespace kiln {

/// A sentence about the arguments of a call, mostly of one of CUDA's functions, or about the operands of an operator,
/// for which no function fits, or several do: a mask, a pointer, a cast or another function. Empty for other errors.
/// `lines` are those of the error's place.
std::string call_advice(const Diagnostic& error, const NumberedLines& lines, const FailedCompile& failed);

}  // namespace kiln
