// The compilers' part of a compile of NVVM IR.
#pragma once

#include "compile/code_data.hpp"
#include "compile/nvvm_request.hpp"

#include <memory>
#include <string>

namespace kiln {

/// Compiles the IR to what the request wants. Throws CompileError, CompileStopped, or ToolkitError where a library is
/// missing.
std::shared_ptr<CodeData> make_ir_code(const IrRequest& request);

/// Throws ToolkitError, with the functions that need it and what was searched, where libdevice is missing.
std::string require_libdevice_for(const IrRequest& request);

}  // namespace kiln
