// What a LinkError says.
#pragma once

#include "compile/nvjitlink/link_outcome.hpp"

#include <string_view>

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

}  // namespace kiln
