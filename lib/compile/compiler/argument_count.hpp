// Calls with more or fewer arguments than their function takes.
#pragma once

#include "compile/compiler/compile_message.hpp"

#include <string>
#include <string_view>

namespace kiln {

/// The name before the innermost "(" that is open at the error's place, which may be in a line above; empty where none
/// is, or where no name stands before it.
std::string_view called_name(const NumberedLines& lines);

/// A sentence about a call with too many or too few arguments: which function is called, how many arguments it is
/// given, and how many it takes, where the source, a header in memory or CUDA declares it. Empty for other errors.
std::string argument_count_advice(const Diagnostic& error, const NumberedLines& lines, const FailedCompile& failed);

/// Of a call from whose arguments a template's parameter cannot be known, and which does not name it. Else empty.
std::string deduction_advice(const Diagnostic& error, const NumberedLines& lines, const FailedCompile& failed);

}  // namespace kiln
