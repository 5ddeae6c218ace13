// The module-scope statements of a PTX text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// One statement outside function bodies as its words: names, directives and numbers, each of "( ) [ ] , =" on its own.
/// A body or an initial value in braces is one word, with its braces; comments are left out.
using PtxStatement = std::vector<std::string_view>;

bool has_word(const PtxStatement& words, std::string_view word);

/// Where a word stands, or the statement's size.
std::size_t word_position(const PtxStatement& words, std::string_view word, std::size_t from = 0);

[[noreturn]] void throw_damaged_ptx(const std::string& what);

/// The statements in order. Throws Error where a comment, a quote or a brace does not end.
std::vector<PtxStatement> scan_ptx(std::string_view text);

/// The same for a function's body, whose braces only end statements, however deep they are.
std::vector<PtxStatement> scan_ptx_body(std::string_view body);

}  // namespace kiln
