// How many bytes some elements are.
#pragma once

#include "base/argument_error.hpp"

#include <cstddef>
#include <limits>
#include <string>

namespace kiln {

/// count * element_size. Throws ArgumentError, which names `owner` ("DeviceBuffer"), where that overflows.
inline std::size_t byte_count(const char* owner, std::size_t count, std::size_t element_size) {
  constexpr std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  if (element_size == 0 || count <= max_bytes / element_size) return count * element_size;
  const std::string expected = "at most " + std::to_string(max_bytes / element_size) + " elements";
  throw_argument_error(std::string(owner) + ": " + std::to_string(count) + " elements of " +
                           std::to_string(element_size) +
                           " bytes are more than memory can be addressed: is the count a negative number?",
                       expected, std::to_string(count));
}

}  // namespace kiln
