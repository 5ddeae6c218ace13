// For which architectures a link is, and what it is called.
#pragma once

#include "compile/link/link.hpp"

#include <string>
#include <vector>

namespace kiln {

std::string name_of(const LinkJob& job);

/// What to link for: one architecture, or several of KILN_ARCH. `device_arch` as link_for has it.
std::vector<std::string> archs_for(const LinkJob& job, const std::string& device_arch);

/// For which devices it is linked, as far as that is known; one of no name where it is not.
std::vector<std::string> devices_of(const LinkJob& job, const std::string& device_arch);

}  // namespace kiln
