// kiln::compile for NVVM IR: libnvvm makes PTX or LTO-IR of it, and the PTX is linked to a cubin; all of it cached as
// one.
#pragma once

#include "base/stop.hpp"
#include "compile/compiler.hpp"
#include "compile/store/code_cache.hpp"

#include <optional>
#include <string_view>

namespace kiln {

class CallTiming;

/// As compile_for, for a request whose language is nvvm_ir and whose device is known as far as it can be. libnvvm
/// cannot be interrupted: `stop` is looked at before and after each of the two steps.
CodeObject compile_ir(std::string_view ir, const CompileOptions& options, const CompileContext& context,
                      const Stop& stop, CallTiming* timing);

/// As find_code_for.
std::optional<CodeObject> find_ir_code(std::string_view ir, const CompileOptions& options,
                                       const CompileContext& context, Counting counting = Counting::on);

/// The same, in that cache alone and not in memory; what the options say of caches does not matter but for
/// options.caching.dir, which is the cache's folder.
std::optional<CodeObject> find_ir_code_in(CodeCache& cache, std::string_view ir, const CompileOptions& options,
                                          const CompileContext& context);

/// For exchange with other machines, as CompilerSelection's. No key where code is not kept, or no library is here.
std::optional<std::string> ir_key_here(std::string_view ir, const CompileOptions& options,
                                       const CompileContext& context);
std::optional<PortableCode> find_portable_ir(std::string_view ir, const CompileOptions& options,
                                             const CompileContext& context);
std::optional<CodeObject> accept_ir(std::string_view ir, const CompileOptions& options, const CompileContext& context,
                                    PortableCode code, bool from_cache);

}  // namespace kiln
