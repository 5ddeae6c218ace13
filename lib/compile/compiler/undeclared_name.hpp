// Names that a source does not declare: what was meant.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

/// Functions that have "_sync" behind the name now.
inline constexpr std::string_view removed_names = "__shfl __shfl_up __shfl_down __shfl_xor __any __all __ballot";

/// A sentence about a name that a compiler does not know: what CUDA has in place of one that it removed, or that is of
/// Python, NumPy, OpenCL or C; else the nearest of CUDA's names and of those that the source itself has and `log` does
/// not refuse. `behind` is the rest of the name's line, by which names that may also be variables are known. Empty
/// where nothing is known.
std::string undeclared_name_advice(std::string_view name, std::string_view source, std::string_view log,
                                   std::string_view behind = {});

/// Of "cuda.syncthreads()" and other members of Numba's module.
std::string numba_advice(std::string_view name, std::string_view behind);

/// Of a name that nothing is known of: it is assigned without a declaration, or looks like a macro. Else empty.
std::string declaration_advice(std::string_view name, std::string_view behind);

}  // namespace kiln
