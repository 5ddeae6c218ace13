// Making room: what was used longest ago goes first.
#pragma once

#include "cache/cache_folder.hpp"

#include <cstdint>

namespace kiln {

struct Eviction {
  std::uint64_t entries = 0;  // code entries removed
  std::uint64_t freed = 0;    // bytes, of all files removed
  std::uint64_t left = 0;     // bytes
  int code = 0;               // the first -errno of listing: then there is more than what is counted here
};

/// Looks at every file of the folder; where they are more than `limit` bytes, removes the ones whose stamps are oldest
/// until `target` bytes are left. A file that is used or replaced meanwhile stays. Who reads a file that is removed
/// reads it to its end. For one process at a time: two would each remove as much.
Eviction evict(const CacheFolder& folder, std::uint64_t limit, std::uint64_t target);

}  // namespace kiln
