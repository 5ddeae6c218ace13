// Small facts that a cache folder keeps beside code, such as which compiler a source needed.
#pragma once

#include "cache/cache_folder.hpp"

#include <optional>

namespace kiln {

/// Thread-safe. A fault keeps nothing and finds nothing.
std::optional<Sections> find_note(CacheFolder& folder, const CacheKey& key);
void put_note(CacheFolder& folder, const CacheKey& key, const Sections& sections, Sync sync = Sync::off);

}  // namespace kiln
