// The compiler's part of a compile.
#pragma once

#include "cache/dependencies.hpp"
#include "compile/code_data.hpp"
#include "compile/header_search.hpp"
#include "compile/request.hpp"

#include <memory>
#include <string>

namespace kiln {

/// "kernel.cu: what", at level info.
void inform(const Request& request, const std::string& what);

struct MadeCode {
  std::shared_ptr<CodeData> code;
  HeaderReport headers;  // empty unless it was asked for
};

/// Compiles the request, whose architecture this settles. With `keep` finds out what the compile depended on. Throws
/// CompileError, or ToolkitError where there is no compiler.
MadeCode make_code(Request& request, bool keep);

}  // namespace kiln
