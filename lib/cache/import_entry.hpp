// Files of another machine's cache, added to this machine's.
#pragma once

#include "cache/cache_folder.hpp"

namespace kiln {

// What they were made of was checked by the caller. Both throw Error where the folder cannot be written.

/// False where the folder has that file already.
bool import_entry(CacheFolder& folder, EntryKind kind, const Digest& key, const Sections& sections);

/// Merges the variants of a manifest, which has its request, into the folder's own. To be called behind the import of
/// the code and the header lists that it leads to: a variant without them is left out.
void import_manifest(CacheFolder& folder, const Sections& sections);

}  // namespace kiln
