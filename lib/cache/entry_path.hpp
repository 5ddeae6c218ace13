// The key in the name of a cache file.
#pragma once

#include "base/digest.hpp"

#include <string_view>

namespace kiln {

/// Of a path that CacheFolder::path made: the digits of its last folder and of its name.
Digest key_of_path(std::string_view path);

}  // namespace kiln
