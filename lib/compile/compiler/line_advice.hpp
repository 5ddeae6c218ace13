// What to do about an error by what the source has at its place.
#pragma once

#include "compile/compiler/compile_message.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A sentence about a line that is C++ to a compiler and another language to its author, or that uses CUDA's types,
/// functions and words in a way that a newcomer may try; empty for others. `lines` are those of the error's place.
std::string line_advice(const Diagnostic& error, const NumberedLines& lines, const FailedCompile& failed);

/// The macro that the option at i, with its value perhaps the next one, defines, with "=" and that value if it has one;
/// empty for other options.
std::string definition_of(const std::vector<std::string>& options, std::size_t i);

}  // namespace kiln
