// How many bytes some elements are.
#pragma once

#include <cstddef>

namespace kiln {

/// count * element_size. Throws ArgumentError, which names `owner` ("DeviceBuffer"), where that overflows.
std::size_t byte_count(const char* owner, std::size_t count, std::size_t element_size);

}  // namespace kiln
