// What a log says behind an error of its cause.
#pragma once

#include "compile/compiler/compile_message.hpp"

#include <string>
#include <string_view>

namespace kiln {

/// Why an expression is no constant, such as "division by zero": by the error's first note, or by a warning about the
/// line where the note says that the value is declared. Empty where the log says nothing of it.
std::string constant_reason(const Diagnostic& error, std::string_view log);

/// Whether a constant is missing because the arithmetic fails, so that the source has one, with a wrong value.
bool is_arithmetic_reason(std::string_view reason);

/// Where an error is in a file that is included, the line that made the compiler instantiate its templates: of the
/// source or of a header in memory, else the outermost. A diagnostic without text; of line 0 where the log names none.
Diagnostic leading_place(const Diagnostic& error, const FailedCompile& failed);

}  // namespace kiln
