// The options of a link: whether they make sense, and in nvJitLink's spelling.
#pragma once

#include <kiln/linker.hpp>

#include <string>
#include <vector>

namespace kiln {

/// Whether the device decides what to link for.
bool is_for_device(const LinkOptions& options);
/// Whether an option for ptxas names an output of the user's: then a link does more than make code, and is not kept.
bool writes_files(const LinkOptions& options);

/// Throws ArgumentError, which names the member, for options that no linker could follow.
void require_sensible(const LinkOptions& options);

/// The options that only nvJitLink has, by their names in LinkOptions; empty where the driver has all.
std::vector<std::string> nvjitlink_only(const LinkOptions& options);

/// As nvJitLink takes them, in one order: equal for options that mean the same. Less "-no-cache", which says nothing of
/// the result.
std::vector<std::string> nvjitlink_options(const LinkOptions& options, const std::string& arch, bool lto);

}  // namespace kiln
