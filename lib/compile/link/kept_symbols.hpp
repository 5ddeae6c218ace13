// What a link keeps if LinkOptions let it drop kernels and variables. nvJitLink's own options match parts of names, do
// not know demangled names, drop and fold variables that were not named, and do not report a name that matches nothing.
#pragma once

#include "compile/nvjitlink/link_outcome.hpp"

namespace kiln {

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
