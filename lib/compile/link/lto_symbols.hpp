// What LTO-IR defines and wants, for error texts: it can be read by nvJitLink alone.
#pragma once

#include "compile/nvjitlink/link_outcome.hpp"
#include "compile/nvjitlink/link_symbols.hpp"

#include <string>
#include <vector>

namespace kiln {

/// What the code of that input still wants, seen when it is linked alone to PTX. Nothing where that fails; never
/// throws.
LinkSymbols symbols_of_ltoir(const std::shared_ptr<const LinkInput>& input, const LinkOrder& order) noexcept;

/// The names of inputs that both define the symbol, at least one of them in LTO-IR, found by links without some; none
/// where they cannot be found. Never throws.
std::vector<std::string> inputs_that_define(const std::string& symbol, const LinkOrder& order) noexcept;

}  // namespace kiln
