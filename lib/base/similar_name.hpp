// "Did you mean": the nearest of the names that there are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The candidate with the fewest letters to change, leave out, add or swap; empty where that would be a third of the
/// word or more.
std::string similar_name(std::string_view wanted, const std::vector<std::string>& candidates);

}  // namespace kiln
