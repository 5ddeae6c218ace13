// Headers that a source includes and that are not there.
#pragma once

#include "compile/compiler/compile_message.hpp"

#include <string>

namespace kiln {

/// Which header was meant, whose it is, or where headers are looked for; empty where the error is about none.
std::string header_advice(const Diagnostic& error, const FailedCompile& failed);

}  // namespace kiln
