// The cache folders that this process has in use: one object for each.
#pragma once

#include "cache/store.hpp"

#include <string>

namespace kiln {

/// The store of that folder, never destroyed. The folder is made when something is stored. Thread-safe.
CacheStore& open_store(const std::string& directory);

/// The same for a folder that is only read: nothing in it is changed, locked, touched or counted.
CacheStore& open_read_only_store(const std::string& directory, const Trust& trust);

/// Counts a look-up that this process's memory served in place of the folder. Written with the folder's next counts,
/// else when the process exits. Thread-safe.
void count_memory_hit(CacheFolder& folder);

}  // namespace kiln
