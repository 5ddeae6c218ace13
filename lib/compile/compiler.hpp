// What other rooms use of the compile room.
#pragma once

#include "cache/statistics.hpp"
#include "compile/code/code_data.hpp"
#include "compile/identity/compile_context.hpp"

#include <kiln/compile.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

class RemotePrefetch;

/// For a device of the driver in use; of no device where the architecture is empty.
CompileContext context_for_device(std::string arch);

/// As kiln::compile, for a device of that architecture where the options name none: cubin where the compiler knows it,
/// else PTX for the newest architecture that the compiler knows below it.
CodeObject compile_for(std::string_view source, const CompileOptions& options, const CompileContext& context);

/// The same as far as it is in memory or on disk; nothing where a compile might be needed.
/// Counts no miss. What is not found is noted in `prefetch`, where that is given.
std::optional<CodeObject> find_code_for(std::string_view source, const CompileOptions& options,
                                        const CompileContext& context, Counting counting = Counting::on,
                                        RemotePrefetch* prefetch = nullptr);

/// Code, or where this user's cache has it.
struct CodeOrKey {
  std::optional<CodeObject> code;
  Digest key;  // of its entry, where there is no code
};

/// As compile_for, but an entry on disk is not read, for callers that may not need it. Headers are checked all the
/// same. The entry may turn out to be damaged, or be gone, when compile_for is called after all, which then compiles.
CodeOrKey compile_or_locate(std::string_view source, const CompileOptions& options, const CompileContext& context);

/// As kiln::preprocess_source, with the source's name, beside which quoted includes are looked for.
std::string preprocess_named_source(std::string_view source, const std::string& name,
                                    const std::vector<std::string>& options, const std::string& nvcc);

/// Removes code that a driver refused from memory and disk, so that the next compile makes it anew.
void discard(const CodeObject& code);

}  // namespace kiln
