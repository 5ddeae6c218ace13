// Which nvJitLink it is. (link_by_nvjitlink is in link_outcome.hpp.)
#pragma once

#include "compile/nvjitlink/link_outcome.hpp"

namespace kiln {

/// Of this machine's nvJitLink, in a worker; asked once for each that this process meets. Throws ToolkitError where it
/// cannot be opened. Thread-safe.
Version version_of_nvjitlink();

}  // namespace kiln
