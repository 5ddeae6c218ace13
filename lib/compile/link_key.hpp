// What a link is known by.
#pragma once

#include "compile/link_outcome.hpp"

#include <kiln/compile_options.hpp>

#include <string>

namespace kiln {

/// Canonical bytes, equal only for links that make the same code: inputs, options, architecture and linker. Names of
/// inputs reach no linked code and are not in it. Throws ToolkitError where a toolkit's library cannot be read.
std::string link_key(const LinkOrder& order, const std::string& linker, const CompileOptions& caching);

}  // namespace kiln
