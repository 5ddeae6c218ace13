// A bound on single allocations, which a length that lies would break.
#pragma once

#include <cstddef>

namespace kiln::fuzz {

/// From now on a larger `new` aborts the program. The largest honest step is 136 bytes of a template's piece for a tag
/// and a line's end, doubled as a vector grows.
void limit_allocations(std::size_t bytes) noexcept;

}  // namespace kiln::fuzz
