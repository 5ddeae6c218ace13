// Name expressions that a source has no kernel for.
#pragma once

#include "compile/compiler/compile_message.hpp"

#include <string>
#include <string_view>

namespace kiln {

/// The name expression that an error is about, as NVRTC's log shows it and as the source that nvcc gets has it; empty
/// where it is about another text.
std::string refused_expression(const Diagnostic& error, std::string_view log);

/// What is wrong with that name expression: it is much like a kernel of the source, has other arguments than its
/// template, or names none, and then which kernels there are. Empty where the error is about another text.
std::string misspelt_name(const Diagnostic& error, const FailedCompile& failed);

}  // namespace kiln
