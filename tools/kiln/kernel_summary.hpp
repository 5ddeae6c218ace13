// What the command line says about kernels.
#pragma once

#include <kiln/code_object.hpp>

#include <string>

namespace kiln::tool {

/// One line: "scale(float*, int): 12 registers, 0 bytes shared; ...". Empty for code that lists no kernels.
std::string kernel_summary(const CodeObject& code);

}  // namespace kiln::tool
