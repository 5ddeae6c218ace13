// One compile by libnvvm.
#pragma once

#include "compile/nvvm/nvvm_request.hpp"

#include <string>

namespace kiln {

/// Compiles on a thread of its own, in this process; `libdevice` is that file where the request needs it. Throws
/// CompileError, CompileStopped (between two steps), ToolkitError.
NvvmCode run_nvvm(const IrRequest& request, const std::string& libdevice);

}  // namespace kiln
