// The one warning.
#pragma once

#include <string>

namespace kiln {

/// Says it at level warn, once a process whatever is said: a program whose cache is at fault runs as it would without
/// one, and is not to be told at each kernel. Later ones are for level info.
void warn_of_cache(const std::string& message) noexcept;

}  // namespace kiln
