// LLVM IR to code on this machine: libnvvm makes PTX or LTO-IR of it, and the PTX is linked to a cubin. The whole way
// has one entry in the cache.
#pragma once

#include "cache/cache_folder.hpp"
#include "compile/nvvm/nvvm_request.hpp"

#include <memory>
#include <optional>
#include <string_view>

namespace kiln {

/// What compiles this request here. Its identity is the contents of libnvvm, of libdevice and the linker where they are
/// needed. None of these is opened. Nothing where one is missing. Digests may be kept in `cache`.
std::optional<ChosenCompiler> ir_compiler_here(const Request& request, CacheFolder* cache);

/// Throws ToolkitError, which says what ir_compiler_here misses.
[[noreturn]] void throw_no_ir_compiler(const Request& request);

/// By libnvvm, in a worker, and the linker. libnvvm cannot be interrupted: the request's stop is looked at before and
/// after each of the two.
std::shared_ptr<CodeData> make_ir_code(std::string_view ir, const Request& request);

}  // namespace kiln
