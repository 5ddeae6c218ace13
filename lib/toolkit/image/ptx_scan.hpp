// The module-scope statements of a PTX text.
#pragma once

#include <string_view>
#include <vector>

namespace kiln {

/// One statement outside function bodies as its words: names, directives and numbers, each of "( ) [ ] , =" on its own.
/// A body or an initial value in braces is one word, with its braces; comments are left out.
using PtxStatement = std::vector<std::string_view>;

/// The statements in order. Throws Error where a comment, a quote or a brace does not end.
std::vector<PtxStatement> scan_ptx(std::string_view text);

/// The same for a function's body, whose braces only end statements, however deep they are.
std::vector<PtxStatement> scan_ptx_body(std::string_view body);

}  // namespace kiln
