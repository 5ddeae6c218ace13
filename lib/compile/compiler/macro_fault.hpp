// Macros whose text is the cause of an error where they are used.
#pragma once

#include "compile/compiler/compile_message.hpp"

#include <string>

namespace kiln {

/// A sentence about a macro that the error's line uses, of the source or of the options, whose definition has a "=", a
/// ";" at its end or a bracket that is not closed: which one, and how it is to be written. Empty where no macro is at
/// fault.
std::string macro_fault_advice(const Diagnostic& error, const NumberedLines& lines, const FailedCompile& failed);

}  // namespace kiln
