// What a remote cache had, taken into the cache folder as an imported bundle is: checked, and nothing where it does not
// fit.
#pragma once

#include "cache/remote/remote_manifest.hpp"
#include "cache/store.hpp"

#include <optional>
#include <string>

namespace kiln {

/// What a cache is asked for. A view.
struct WantedEntry {
  const CacheKey& key;
  bool may_include;
  const Roots& roots;

  /// What is asked for first.
  EntryKind first() const noexcept { return may_include ? EntryKind::manifest : EntryKind::code; }
};

/// The variant of a manifest's file that fits this machine.
std::optional<RemoteManifest::Variant> variant_here(CacheStore& own, const WantedEntry& wanted, std::string file);
/// Whether the folder has the code now. `key`: of the entry, which without headers is the request's own.
bool adopt_code(CacheStore& own, const WantedEntry& wanted, const Digest& key, const Dependencies& dependencies,
                std::string file);
/// Whether the folder has the note now.
bool adopt_note(CacheStore& own, const WantedEntry& wanted, std::string file);

}  // namespace kiln
