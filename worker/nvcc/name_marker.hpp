// Symbols of name expressions, for a compiler that does not list them: text after the source makes one constant an
// expression, whose initial value in the PTX is the symbol.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

/// What is to stand after the source. Where an expression is refused, the diagnostic's file is "name expression ...".
std::string name_markers(const std::vector<std::string>& expressions);

/// The expressions with their symbols, from a PTX text that was made with those markers. Throws CompileError that names
/// an expression which names no kernel and no variable.
std::vector<std::pair<std::string, std::string>> read_name_markers(const std::vector<std::string>& expressions,
                                                                   std::string_view ptx);

/// The PTX text without the markers; the text itself where something refers to one (debug information).
std::string without_name_markers(const std::string& ptx);

}  // namespace kiln
