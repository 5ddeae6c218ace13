// Which folder the cache is in.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace kiln {

/// `given`, else KILN_CACHE_DIR, PYCUDA_CACHE_DIR, $XDG_CACHE_HOME/kiln, $HOME/.cache/kiln; made absolute. Nothing
/// where none is set: the cache is off then, and never in a shared temporary folder. A relative XDG_CACHE_HOME is
/// ignored.
std::optional<std::string> cache_location(const std::filesystem::path& given);

/// Whether KILN_DISABLE_CACHE or PYCUDA_DISABLE_CACHE is set, at any value.
bool cache_disabled();

}  // namespace kiln
