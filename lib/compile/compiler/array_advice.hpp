// Arrays with the wrong sizes or indices.
#pragma once

#include "compile/compiler/compile_message.hpp"

#include <string>

namespace kiln {

/// What to do about an array whose size is no constant or is missing, and about a value that has more indices than it
/// has dimensions; empty for other errors.
std::string array_advice(const Diagnostic& error, const NumberedLines& lines, const FailedCompile& failed);

}  // namespace kiln
