// A kernel's parameters as the driver tells them, for code that Kiln cannot read itself.
#pragma once

#include "toolkit/driver.hpp"

#include <kiln/code_object.hpp>

#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// Offsets and sizes by cuKernelGetParamInfo, kinds and types by the symbol where it is mangled. Nothing where the
/// driver lacks that function (before CUDA 12.4).
std::optional<std::vector<Parameter>> driver_parameters(CUkernel kernel, const std::string& symbol);

}  // namespace kiln
