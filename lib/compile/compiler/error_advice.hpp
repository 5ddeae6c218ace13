// What to do about a compiler's error.
#pragma once

#include "compile/compiler/compile_message.hpp"

#include <string>
#include <string_view>

namespace kiln {

/// Whole sentences, each on its line; empty where there is nothing to say beyond the error. By that error's words
/// alone: the same words elsewhere in a log, as in a line of the source, mean nothing. `source_line` is the one that it
/// names.
std::string error_advice(const Diagnostic& error, std::string_view source_line, const FailedCompile& failed);

}  // namespace kiln
