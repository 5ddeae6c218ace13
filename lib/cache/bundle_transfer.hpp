// Entries of a cache folder into a bundle, and a bundle's entries into a cache folder.
#pragma once

#include "cache/cache_folder.hpp"

#include <cstdint>
#include <string>

namespace kiln {

/// Cache::export_to.
std::uint64_t export_entries(CacheFolder& folder, const std::string& path);
/// Cache::import_from.
std::uint64_t import_entries(CacheFolder& folder, const std::string& path);

}  // namespace kiln
