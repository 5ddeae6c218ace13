// The compilers' part of a compile of NVVM IR.
#pragma once

#include "compile/code/code_data.hpp"
#include "compile/nvvm/nvvm_request.hpp"

#include <memory>

namespace kiln {

/// Compiles the IR to what the request wants: by libnvvm, in a worker, and the linker. Throws CompileError,
/// CompileStopped, or ToolkitError where a library is missing.
std::shared_ptr<CodeData> make_ir_code(const IrRequest& request);

}  // namespace kiln
