// NVVM IR among the inputs of a link.
#pragma once

#include "compile/nvjitlink/link_input.hpp"

#include <kiln/compile_options.hpp>

#include <string>

namespace kiln {

/// The inputs with NVVM IR compiled, through the cache, to what a linker takes: LTO-IR, or PTX without link-time
/// optimisation. Throws what kiln::compile throws.
LinkInputs without_nvvm_ir(LinkInputs inputs, const std::string& arch, bool lto, const CompileOptions& caching);

}  // namespace kiln
