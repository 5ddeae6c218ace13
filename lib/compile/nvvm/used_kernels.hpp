// Kernels of LLVM IR that link-time optimisation is to leave in.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

/// A module of NVVM IR, which libnvvm takes beside those of either dialect, that puts the kernels of this PTX into
/// @llvm.used, as nvcc does with its own: nvJitLink removes them otherwise. Empty where there is no kernel.
std::string module_that_uses_kernels(std::string_view ptx);

}  // namespace kiln
