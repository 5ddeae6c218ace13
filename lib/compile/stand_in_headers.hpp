// Headers that NVRTC lacks, for sources written for nvcc.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace kiln {

/// Names as sources include them ("stdint.h", "cmath", "pycuda-complex.hpp") and texts. For NVRTC only where
/// `nvcc_has` below is true: nvcc finds those in the host compiler's folders.
const std::map<std::string, std::string>& stand_in_headers();

/// Whether nvcc finds a header of that name by itself; false for Kiln's own, such as pycuda-complex.hpp.
bool nvcc_has(std::string_view stand_in);

/// Types that nvcc's host headers declare at global scope and NVRTC does not: uint, ushort, ulong, ... A text to
/// compile before the source, and whether it declares that name.
const std::string& legacy_types();
bool is_legacy_type(std::string_view name);

/// In the keys of compiles that may use any of this; changes whenever a text does.
std::string_view stand_in_version();

}  // namespace kiln
