// Removing entries: all of them, or those that were used longest ago.
#pragma once

#include "cache/cache_folder.hpp"

#include <kiln/cache.hpp>

#include <cstdint>
#include <optional>

namespace kiln {

/// After a store: writes the counts, and evicts where the folder may have grown beyond its limit (KILN_CACHE_MAX_SIZE).
/// That is known from counters; with `measure` all files are looked at anyway. Throws nothing.
void enforce_size_limit(CacheFolder& folder, bool measure);

struct Eviction {
  std::uint64_t entries = 0;  // code entries removed
  std::uint64_t freed = 0;    // bytes, of all files removed
  std::uint64_t left = 0;     // bytes
  int code = 0;               // the first -errno of listing: then there is more than what is counted here
};

/// Looks at every file of the folder; where they are more than `limit` bytes, removes the least recently touched until
/// `target` bytes are left. A file that is used or replaced meanwhile stays. A process that reads a file that is
/// removed reads it to its end. For one process at a time: two would each remove as much.
Eviction evict(const CacheFolder& folder, std::uint64_t limit, std::uint64_t target);

/// Cache::prune: removes what was used longest ago until at most `max_bytes` are left; without a number the folder's
/// own limit. Removes abandoned temporary files too. Throws Error where the folder cannot be read, and where another
/// process evicts at this moment.
CachePruned prune_entries(CacheFolder& folder, std::optional<std::uint64_t> max_bytes);

/// Cache::clear: removes every entry; the number of code entries removed. Throws Error where one cannot be removed,
/// after it has removed the others.
std::uint64_t clear_entries(CacheFolder& folder);

/// Cache::remove: removes that code entry; whether it was there. Throws Error where it cannot be removed.
bool remove_entry(CacheFolder& folder, const Digest& key);

}  // namespace kiln
