// What a PTX function does with a variable's address.
#pragma once

#include "toolkit/image/ptx_scan.hpp"

#include <string_view>
#include <vector>

namespace kiln {

/// Whether the statements of a body at most load from the variable: its address goes through arithmetic into loads, and
/// nowhere else. False also where that cannot be seen.
bool only_reads(const std::vector<PtxStatement>& body, std::string_view variable);

}  // namespace kiln
