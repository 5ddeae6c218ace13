// What a link does beside the linker: its key, the symbols that it keeps, what its errors say.
#pragma once

#include "cache/dependencies.hpp"
#include "compile/nvjitlink/link_outcome.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Throws LinkError for a link that failed: the symbols that are missing with the inputs that want them, the symbol
/// that is there twice with both, the input that is for another architecture or of a newer toolkit; the logs, the
/// options, the inputs.
[[noreturn]] void throw_link_error(const LinkOrder& order, const LinkOutcome& outcome);

/// Throws LinkError where two inputs define one symbol, as far as inputs list them: nvJitLink only complains on
/// standard error, and takes one of them.
void require_no_duplicates(const LinkOrder& order);

/// Throws LinkError where the linked PTX wants what no input defines: to PTX, nvJitLink leaves that to the next link.
void require_nothing_missing(const LinkOrder& order, std::string_view ptx);

/// The files that nvJitLink, or the ptxas in it, reads because options name them.
std::vector<FileDependency> option_files_of(const LinkOptions& options);

/// Canonical bytes, equal only for links that make the same code: inputs, options and their files, architecture and
/// linker. Names of inputs reach no linked code and are not in it. Throws ToolkitError where a toolkit's library cannot
/// be read.
std::string link_key(const LinkOrder& order, const std::string& linker,
                     const std::vector<FileDependency>& option_files);

/// Whether kernels_used, variables_used or optimize_unused_variables is set.
bool may_drop_symbols(const LinkOptions& options);

/// The order's options with the symbols of all that is to stay: the kernels of kernels_used, or all kernels; the
/// variables of variables_used, those that a kernel uses (optimize_unused_variables), or all variables. Links once
/// without these options to list the symbols. Without link-time optimisation nothing is dropped, and the members are
/// empty. Throws ArgumentError, with a list of the available names, for a name that matches nothing.
LinkOptions with_kept_symbols(const LinkOrder& order);

/// Throws ArgumentError if a name of these options is not in the linked code. LTO-IR cannot be checked.
void require_kept_symbols(const LinkOptions& options, const LinkOrder& order, const LinkOutcome& outcome);

}  // namespace kiln
