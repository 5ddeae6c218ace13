// The body of a scan: one pass over the elements, in tiles that look back at those before them (Merrill and Garland,
// "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016).
#pragma once

#include <string_view>

namespace kiln {

/// CUDA C++, after shuffle_text() and what the kind of scan adds: __kiln_with_first, __kiln_append_first,
/// __kiln_result.
std::string_view scan_text();

}  // namespace kiln
