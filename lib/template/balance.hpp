// Whether a part of a source text can stand before and after others.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

/// Throws ArgumentError, naming the part and the place, where a bracket, a quote, a comment or an #if is not closed or
/// closes nothing, or the text ends in a backslash. Both sides of an #else are looked at, what #if 0 leaves out is not.
void check_balance(std::string_view text, const std::string& part);

/// The same for a text that stands within a line: it has no directive, and no line comment at its end.
void check_inline_balance(std::string_view text, const std::string& part);

}  // namespace kiln
