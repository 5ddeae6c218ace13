// Mutations that a seed decides, on every machine alike: no distribution of the standard library, which differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kiln::fuzz {

constexpr std::size_t largest_input = 16 * 1024;

/// A corpus file after one to four changes: a bit or byte flipped, a piece cut out, doubled or put in from another
/// file, the end cut off or moved, an integer overwritten with one at a boundary.
std::string mutation(const std::vector<std::string>& corpus, std::uint64_t seed);

}  // namespace kiln::fuzz
