// The architectures that libnvvm compiles for.
#pragma once

#include <vector>

namespace kiln {

/// Such as 75 and 90, ascending; libnvvm has no function for it, so that it is asked about each, once a process. Opens
/// libnvvm. Throws ToolkitError where there is none. Thread-safe.
const std::vector<int>& nvvm_archs();

}  // namespace kiln
