// The warning that the cache cannot be used.
#pragma once

#include <string>

namespace kiln {

/// Logs the first message of a process at level warn, and later ones, whatever they say, at level info: a program whose
/// cache has a fault runs as it would without one, and needs no warning for each kernel.
void warn_of_cache(const std::string& message) noexcept;

}  // namespace kiln
