// Takes variables out of a cubin that can be loaded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The cubin without those of its symbols (a flag for each) that only the table of variables' addresses,
/// .nv.constant4, refers to, and without their names and their relocations there. No other symbol's index changes, and
/// no code, data or address: a variable's bytes and the slot of its address stay, unnamed. Symbols that something else
/// refers to stay. Returns the bytes as they are where they hold anything that is not known here, debug information
/// among that. Throws Error where the image is damaged.
std::string without_symbols(std::string_view cubin, std::vector<bool> unused);

}  // namespace kiln
