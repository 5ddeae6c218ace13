// What remote caches are like now.
#pragma once

#include "cache/cache_folder.hpp"

#include <kiln/cache.hpp>
#include <kiln/cache_options.hpp>

namespace kiln {

/// Cache::remotes. In brief it is only told whether each answers within the time that it may take to connect.
RemoteCaches report_remotes(const CacheOptions& options, const CacheFolder& own, bool in_brief);

}  // namespace kiln
