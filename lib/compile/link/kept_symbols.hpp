// What a link keeps where LinkOptions let it drop kernels and variables. nvJitLink's own options match parts of names,
// know nothing of demangled ones, drop and fold variables that nobody named, and say nothing of a name that is nowhere.
#pragma once

#include "compile/nvjitlink/link_outcome.hpp"

namespace kiln {

/// Whether kernels_used, variables_used or optimize_unused_variables is set.
bool may_drop_symbols(const LinkOptions& options);

/// The order's options with all that is to stay named by its symbols: what kernels_used names, or all kernels; what
/// variables_used names, what a kernel uses (optimize_unused_variables), or all variables. Links once without them to
/// see what there is. Without link-time optimisation nothing is dropped, and the members are empty. Throws
/// ArgumentError, with a list of what there is, for a name that is none of it.
LinkOptions with_kept_symbols(const LinkOrder& order);

/// Throws ArgumentError where what these options name is not in the linked code. LTO-IR does not tell.
void require_kept_symbols(const LinkOptions& options, const LinkOrder& order, const LinkOutcome& outcome);

}  // namespace kiln
