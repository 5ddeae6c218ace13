// The bracket structure of C++ names.
#pragma once

#include <string_view>
#include <vector>

namespace kiln {

/// How deep the brackets of a name may be nested. Names of CUB's and CUTLASS' kernels are some 40 deep.
constexpr int deepest_name = 100;

/// For each character how many brackets it stands within; a bracket itself counts as outside of what it encloses.
/// Characters of an operator's name and of quoted text count as within one more. Comparison signs inside parentheses
/// and "->" are not brackets.
std::vector<int> bracket_depths(std::string_view name);

/// The parts between the separators that stand outside all brackets. One empty part for an empty text.
std::vector<std::string_view> split_outside_brackets(std::string_view text, std::string_view separator);

}  // namespace kiln
