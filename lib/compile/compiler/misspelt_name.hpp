// Name expressions that a source has no kernel for.
#pragma once

#include "compile/compiler/compile_message.hpp"

#include <string>
#include <string_view>

namespace kiln {

/// The name expression that an error is about, empty where it is about another text: the place is "name expression
/// scale<int>" in the source that nvcc gets, and in logs of with_name_expressions().
std::string refused_expression(const Diagnostic& error);

/// NVRTC's log with such places, and with the expressions alone, where it has a file and a #pragma of its own.
std::string with_name_expressions(std::string log);

/// What is wrong with that name expression: it is much like a kernel of the source, has other arguments than its
/// template, or names none, and then which kernels there are. Empty where the error is about another text.
std::string misspelt_name(const Diagnostic& error, const FailedCompile& failed);

}  // namespace kiln
