// A bound on single allocations, which a length that lies would break.
#pragma once

#include <cstddef>

namespace kiln::fuzz {

/// From now on a larger `new` aborts the program. A reader's largest honest step is 80 bytes of a parameter for each 8
/// of the input, doubled as a vector grows.
void limit_allocations(std::size_t bytes) noexcept;

}  // namespace kiln::fuzz
