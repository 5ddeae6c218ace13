// What a link is known by.
#pragma once

#include "cache/dependencies.hpp"
#include "compile/nvjitlink/link_outcome.hpp"

#include <string>
#include <vector>

namespace kiln {

/// The files that nvJitLink, or the ptxas in it, reads because options name them.
std::vector<FileDependency> option_files_of(const LinkOptions& options);

/// Canonical bytes, equal only for links that make the same code: inputs, options and their files, architecture and
/// linker. Names of inputs reach no linked code and are not in it. Throws ToolkitError where a toolkit's library cannot
/// be read.
std::string link_key(const LinkOrder& order, const std::string& linker,
                     const std::vector<FileDependency>& option_files);

}  // namespace kiln
