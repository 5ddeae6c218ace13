// The toolkit identities of a cache folder: which compilers and linkers made its entries. A request names its compiler,
// and a machine without one can look for the code of those.
#pragma once

#include "cache/cache_folder.hpp"

#include <string>
#include <vector>

namespace kiln {

/// Adds an identity to the folder's list, which keeps the newest 16. Thread-safe; a fault adds nothing. Of two
/// processes that add one at the same time one may lose: it adds it with its next entry.
void add_maker(CacheFolder& folder, const std::string& maker, Sync sync = Sync::off);

/// The list, newest first; empty after a fault.
std::vector<std::string> makers_in(CacheFolder& folder);

}  // namespace kiln
