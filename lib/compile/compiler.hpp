// What other rooms use of the compile room.
#pragma once

#include "cache/statistics.hpp"
#include "compile/code/code_data.hpp"
#include "compile/code/made_code.hpp"
#include "compile/identity/compile_context.hpp"

#include <kiln/compile.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

class RemotePrefetch;

/// Whether code is looked up and kept at all.
bool is_cacheable(const CompileOptions& options);
/// Throws ArgumentError for one below zero, also where the code is in memory: an error that came only with the first
/// compile would be a surprise.
void require_timeout(const CompileOptions& options);

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

// For exchange with other machines: of requests that may be cached, whose device is known as far as it can be, and
// whose callback was called.

/// The canonical bytes of the request. Nothing where its code must not be kept, or nothing here can compile it.
std::optional<std::string> portable_key(std::string_view source, const CompileOptions& options,
                                        const CompileContext& context);
/// Code that was found or compiled just before, for another machine. Nothing where it was not kept.
std::optional<PortableCode> find_portable_code(std::string_view source, const CompileOptions& options,
                                               const CompileContext& context, Backend made_by);
/// Takes what another machine made, where it is what would be made here, and keeps it as if it had been.
std::optional<CodeObject> accept_portable_code(std::string_view source, const CompileOptions& options,
                                               const CompileContext& context, PortableCode code, bool from_cache);

/// As kiln::preprocess_source, with the source's name, beside which quoted includes are looked for.
std::string preprocess_named_source(std::string_view source, const std::string& name,
                                    const std::vector<std::string>& options, const std::string& nvcc);

/// Removes code that a driver refused from memory and disk, so that the next compile makes it anew.
void discard(const CodeObject& code);

}  // namespace kiln
