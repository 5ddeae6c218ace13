// "Did you mean": the nearest of the names that there are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The candidate with the fewest letters to change, leave out, add or swap, fewer than a third of the word's, or one of
/// three; else one that differs by capitals alone; else empty.
std::string similar_name(std::string_view wanted, const std::vector<std::string>& candidates);

}  // namespace kiln
