// Functions in source texts, told apart by name and parameters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The words, literals and other characters of a source text; blanks, comments and directives are left out.
std::vector<std::string_view> significant_tokens(std::string_view text);

/// The types of a parameter list, in one spelling for all spacings and without the parameters' names:
/// "const float * x, int n[]" gives "const float*,int*". Equal types may differ in other ways.
std::string parameter_types(std::string_view parameters);

/// Whether the text has a default for a parameter (of a function or a template).
bool has_default(std::string_view parameters);

/// Whether the text defines, outside of namespaces and classes, a function of that name and those types.
bool defines_function(const std::vector<std::string_view>& tokens, std::string_view name, std::string_view types);

}  // namespace kiln
