// The compiler's part of a compile.
#pragma once

#include "compile/code/made_code.hpp"
#include "compile/request/request.hpp"
#include "worker/nvrtc/precompiled_headers.hpp"

#include <functional>
#include <string>

namespace kiln {

/// Logs the options that the compiler was given, at level debug.
void log_options(const Request& request, const std::string& compiler, const CompilerOutput& output);

/// Compiles the request, whose architecture it chooses. Throws CompileError, or ToolkitError where there is no
/// compiler.
using RunCompiler = std::function<CompilerOutput(Request& request)>;

/// By NVRTC, in this process. (nvcc's, run_nvcc, is in the room `worker`.)
CompilerOutput run_nvrtc(Request& request, PrecompiledHeaders* pch = nullptr);

/// What that compiler makes of the request. (compile_with_dependencies, in the room `worker`, finds out what that
/// depended on.)
MadeCode make_code(
    Request& request, const RunCompiler& run = [](Request& one) { return run_nvrtc(one); });

}  // namespace kiln
