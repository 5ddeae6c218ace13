// "Did you mean": the nearest of the names that there are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The candidate with the fewest letters to change, leave out, add or swap; empty where that would be a third of the
/// word or more.
std::string similar_name(std::string_view wanted, const std::vector<std::string>& candidates);

/// The words of a CUDA C++ text that stand before "(" somewhere behind a __global__, comments and text literals among
/// them: good enough to choose a suggestion from.
std::vector<std::string> function_names_in(std::string_view source);

}  // namespace kiln
