// Requests and their code between machines. CUDA C++ and NVVM IR alike.
#pragma once

#include "compile/compiler.hpp"
#include "compile/store/portable_code.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace kiln {

// Of requests that may be cached, whose device is known as far as it can be, and whose callback was called.

/// The canonical bytes of the request. Nothing where its code must not be kept, or nothing here can compile it.
std::optional<std::string> portable_key(std::string_view source, const CompileOptions& options,
                                        const CompileContext& context);

/// Code that was found or compiled just before, for another machine. Nothing where it was not kept.
std::optional<PortableCode> find_portable_code(std::string_view source, const CompileOptions& options,
                                               const CompileContext& context, Backend made_by);

/// Takes what another machine made, where it is what would be made here, and keeps it as if it had been.
std::optional<CodeObject> accept_portable_code(std::string_view source, const CompileOptions& options,
                                               const CompileContext& context, PortableCode code, bool from_cache);

}  // namespace kiln
