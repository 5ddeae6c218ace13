// The beginning of a file in NumPy's format, .npy.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

inline constexpr std::string_view npy_magic = "\x93NUMPY";
/// The magic, two bytes of the version, and two of the header's length (of version 1).
inline constexpr std::size_t npy_preamble = 10;

/// What stands before the elements, in version 1.0. `numpy` is the elements' type without the byte order ("f4"), which
/// is little-endian; the shape's last dimension is the one whose elements lie side by side. At most 32 dimensions.
std::string npy_header(std::string_view numpy, std::size_t element_size, const std::vector<std::size_t>& shape);

}  // namespace kiln
