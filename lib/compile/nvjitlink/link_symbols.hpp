// The symbols by which inputs of a link hang together: the linkers do not name the right input where one is missing.
#pragma once

#include "compile/nvjitlink/link_input.hpp"

#include <string>
#include <vector>

namespace kiln {

/// Sorted, each once.
struct LinkSymbols {
  std::vector<std::string> defined;    // for all to use, and only once: not weak, not common
  std::vector<std::string> shared;     // weak or common: defined for all to use, as often as one likes
  std::vector<std::string> undefined;  // wanted from another input
};

/// Of a link for that architecture: of several images, the one that a linker would take. Nothing of what does not tell
/// (LTO-IR, a toolkit's library) or is damaged.
LinkSymbols symbols_of(const LinkInput& input, const std::string& arch);
/// The same of each member of a library, in order; of what is none it is one.
std::vector<LinkSymbols> symbols_of_members(const LinkInput& input, const std::string& arch);

/// Of PTX.
LinkSymbols symbols_of_ptx(std::string_view text);

/// Whether PTX defines no function or variable that other inputs can use, and wants none of theirs.
bool gives_nothing(std::string_view ptx);

/// Sorted: what inputs of a link want and none defines, but for what every device has. None where an input does not
/// tell.
std::vector<std::string> missing_symbols(const LinkInputs& inputs, const std::string& arch);
/// The undefined symbols of a linked cubin, sorted, except those that every device provides.
std::vector<std::string> missing_symbols_of_cubin(std::string_view cubin);
/// Sorted: what linked PTX still wants, but for what every device has and what the device runtime has.
std::vector<std::string> missing_symbols_of_ptx(std::string_view text);

/// Whether code of architecture `code` ("sm_80", "compute_80", "lto_80a") can go into a link for `arch` ("sm_90").
bool can_serve(const std::string& code, const std::string& arch);

/// A symbol for a person: "ns::op(float) (_ZN2ns2opEf)", or itself where it is not mangled.
std::string readable_symbol(const std::string& symbol);

}  // namespace kiln
