// The text of a source that is in no file of the user's, in a file for debuggers.
#pragma once

#include "cache/cache_folder.hpp"

#include <string>
#include <string_view>

namespace kiln {

/// Keeps the bare text in a file of the cache; its path, the same for the same text. Empty where it cannot be kept.
/// Thread-safe.
std::string keep_source_copy(CacheFolder& folder, std::string_view text);

}  // namespace kiln
