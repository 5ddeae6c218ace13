// Why a look-up missed: the requests of each source, recorded and compared.
#pragma once

#include "cache/cache_folder.hpp"

#include <string>
#include <vector>

namespace kiln {

/// Records what a source of that name was compiled with (history.hpp). Thread-safe; a fault records nothing.
void record_request(CacheFolder& folder, const std::string& name, const std::vector<KeyField>& request);

/// What differs from the recorded request that is most like this one, in sentences; nothing where none was recorded.
/// Thread-safe; a fault explains nothing.
std::vector<std::string> explain_miss(CacheFolder& folder, const std::string& name,
                                      const std::vector<KeyField>& request);

}  // namespace kiln
