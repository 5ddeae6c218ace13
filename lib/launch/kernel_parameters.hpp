// A kernel's parameters as the driver tells them, for code that Kiln cannot read itself.
#pragma once

#include "toolkit/driver/driver.hpp"
#include "toolkit/image/parameter_kinds.hpp"

#include <kiln/code_object.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// Reads the PTX beside the code, which takes time.
using AskKinds = std::function<ParameterKinds()>;

/// Offsets and sizes by cuKernelGetParamInfo, kinds and types by the symbol where it is mangled, else by `ask_kinds`,
/// which may be empty. Nothing where the driver lacks that function (before CUDA 12.4).
std::optional<std::vector<Parameter>> driver_parameters(CUkernel kernel, const std::string& symbol,
                                                        const AskKinds& ask_kinds);

}  // namespace kiln
