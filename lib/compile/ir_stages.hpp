// The stages of LLVM IR: libnvvm makes PTX or LTO-IR of it, and the PTX is linked to a cubin. All of them together have
// one entry in the cache.
#pragma once

#include "compile/nvvm/nvvm_request.hpp"
#include "compile/stage.hpp"

#include <optional>
#include <string_view>

namespace kiln {

/// Both refer to the arguments. libnvvm cannot be interrupted: the request's stop is looked at before and after each.
Stages ir_stages(std::string_view ir, const Request& request);

/// All stages of this request, as ChosenCompiler; nothing where one is missing here. Digests may be kept in `cache`.
std::optional<ChosenCompiler> ir_compiler_here(const Request& request, CacheFolder* cache);

/// Throws ToolkitError, which says what ir_compiler_here misses.
[[noreturn]] void throw_no_ir_compiler(const Request& request);

}  // namespace kiln
