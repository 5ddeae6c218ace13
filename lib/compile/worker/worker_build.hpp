// Which build this is, as far as a host and its worker must agree.
#pragma once

#include <string_view>

namespace kiln {

/// A digest of all sources that both are made of. A worker serves hosts of the same build only.
std::string_view worker_build();

}  // namespace kiln
