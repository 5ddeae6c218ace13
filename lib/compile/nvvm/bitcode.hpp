// What of LLVM bitcode must be known before it is given to libnvvm.
#pragma once

#include "compile/nvvm/nvvm_ir.hpp"

#include <string_view>

namespace kiln {

/// Of its first module. Never throws: what is malformed has few facts.
IrFacts read_bitcode(std::string_view bitcode);

}  // namespace kiln
