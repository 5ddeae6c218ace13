// Signatures into the files of a cache folder.
#pragma once

#include "cache/cache_folder.hpp"
#include "cache/signing/signing_key.hpp"

#include <cstdint>

namespace kiln {

/// Cache::sign.
std::uint64_t sign_entries(CacheFolder& folder, const SigningKey& key);

}  // namespace kiln
