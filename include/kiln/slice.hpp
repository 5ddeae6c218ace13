// Slice: some of the indices of a vector, as Python writes them.
#pragma once

#include <cstddef>
#include <optional>

namespace kiln {

/// start, start + step, ... before stop. What is left out is as in Python: step 1, and all elements in its direction.
/// Counterpart: Python's slice.
struct Slice {
  std::optional<std::ptrdiff_t> start = {};  ///< below 0: counted from the end
  std::optional<std::ptrdiff_t> stop = {};   ///< likewise; not included
  std::optional<std::ptrdiff_t> step = {};   ///< below 0: downwards; never 0
};

}  // namespace kiln
