// One link by nvJitLink.
#pragma once

#include "compile/nvjitlink/link_outcome.hpp"

namespace kiln {

/// Links on a thread of its own. Throws ToolkitError where nvJitLink cannot be opened.
LinkOutcome run_nvjitlink(const LinkOrder& order);

}  // namespace kiln
