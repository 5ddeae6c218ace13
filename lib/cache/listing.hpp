// What is in a cache folder, and whether it is undamaged.
#pragma once

#include "cache/cache_folder.hpp"

#include <kiln/cache.hpp>

#include <optional>
#include <vector>

namespace kiln {

// The members of kiln::Cache have the contracts. All throw Error where the folder is there and cannot be read.

/// Cache::stats.
CacheStats folder_stats(CacheFolder& folder);
/// Cache::reset_stats.
void reset_folder_stats(CacheFolder& folder);
/// Cache::entries.
std::vector<CacheEntry> list_entries(CacheFolder& folder);
/// The entry of that name, if it is there.
std::optional<CacheEntry> find_entry(CacheFolder& folder, const Digest& key);
/// Cache::verify.
CacheCheck verify_entries(CacheFolder& folder);

}  // namespace kiln
