// Functions in source texts, identified by name and parameters.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The words, literals and other characters of a source text; blanks, comments and directives are left out, and what
/// stands between #if and #endif, as it may be left out. Where that has brackets of its own the tokens end: what is
/// behind may be within them.
std::vector<std::string_view> significant_tokens(std::string_view text);

/// The types of a parameter list, in one spelling for all spacings and without the parameters' names:
/// "const float * x, int n[]" gives "const float*,int*". Equal types may differ in other ways.
std::string parameter_types(std::string_view parameters);

/// Whether the text has a default for a parameter (of a function or a template).
bool has_default(std::string_view parameters);

/// What stands before a function's name, in one spelling for all spacings.
std::string head_spelling(std::string_view qualifiers, std::string_view return_type);

/// Whether that is the head of a template or of a specialisation.
bool is_template(std::string_view head);

/// "f(const float*,int)".
std::string signature(std::string_view name, std::string_view parameters);

/// The signatures of the functions that the text surely defines outside of namespaces and classes; no templates.
std::set<std::string> defined_functions(std::string_view text);

}  // namespace kiln
