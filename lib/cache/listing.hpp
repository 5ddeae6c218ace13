// What is in a cache folder, and whether it is undamaged.
#pragma once

#include "cache/cache_folder.hpp"

#include <kiln/cache.hpp>

#include <cstddef>
#include <optional>
#include <string_view>
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
/// Fills in what the front of a code entry's file of `entry.bytes` bytes says of it; false where it shows damage.
bool describe_entry(CacheEntry& entry, const Digest& key, std::string_view front);
/// So much of a file is enough for that.
inline constexpr std::size_t entry_front_size = 4096;
/// Cache::verify.
CacheCheck verify_entries(CacheFolder& folder);

}  // namespace kiln
