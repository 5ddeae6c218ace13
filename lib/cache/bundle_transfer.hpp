// Entries of a cache folder into a bundle, and a bundle's entries into a cache folder.
#pragma once

#include "cache/cache_folder.hpp"
#include "cache/signing/public_keys.hpp"
#include "cache/signing/signing_key.hpp"

#include <cstdint>
#include <string>

namespace kiln {

/// Cache::export_to. Signed where there is a key.
std::uint64_t export_entries(CacheFolder& folder, const std::string& path, const SigningKey* key = nullptr);
/// Cache::import_from. Where there are keys, one of them must have signed the bundle.
std::uint64_t import_entries(CacheFolder& folder, const std::string& path, const PublicKeys* keys = nullptr);

// What they were made of was checked by the caller. Both throw Error where the folder cannot be written.

/// False where the folder has that file already.
bool import_entry(CacheFolder& folder, EntryKind kind, const Digest& key, const Sections& sections);

/// Merges the variants of a manifest, which has its request, into the folder's own. To be called after the import of
/// the code and the header lists that it leads to: a variant without them is left out.
void import_manifest(CacheFolder& folder, const Sections& sections);

}  // namespace kiln
