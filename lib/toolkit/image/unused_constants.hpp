// Stripping of the constants of CUDA's C++ libraries that NVRTC leaves in a cubin though nothing uses them: some 800 of
// a source that includes CUB, which a driver takes milliseconds to load.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The cubin without them. `ptx` is the text that it was assembled from: a constant whose name stands there once, where
/// it is declared, is used by nothing. Those in `wanted` stay, and all of the program's own. Code and data are the same
/// to the byte (without_symbols). The unchanged cubin where it is damaged or not understood.
std::string without_unused_constants(std::string cubin, std::string_view ptx, const std::vector<std::string>& wanted);

/// The cubin without those of its symbols (a flag for each) that only the table of variables' addresses, .nv.constant4,
/// refers to, and without their names and their relocations there. No other symbol's index changes, and no code, data
/// or address: a variable's bytes and the slot of its address stay, unnamed. Symbols that something else refers to
/// stay. Returns the unchanged bytes where they hold anything unknown, such as debug information. Throws Error where
/// the image is damaged.
std::string without_symbols(std::string_view cubin, std::vector<bool> unused);

}  // namespace kiln
