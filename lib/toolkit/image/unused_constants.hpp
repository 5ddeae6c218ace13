// The constants of CUDA's C++ libraries that NVRTC leaves in a cubin though nothing uses them: some 800 of a source
// that includes CUB, which a driver takes milliseconds to load.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The cubin without them. `ptx` is the text that it was assembled from: a constant whose name stands there once, where
/// it is declared, is used by nothing. Those in `wanted` stay, and all of the program's own. Code and data are the same
/// to the byte (elf_symbol_cut.hpp). The cubin as it is where it is damaged or not understood.
std::string without_unused_constants(std::string cubin, std::string_view ptx, const std::vector<std::string>& wanted);

}  // namespace kiln
