// Small facts that a cache folder keeps beside code, such as which compiler a source needed.
#pragma once

#include "cache/cache_folder.hpp"

#include <exception>
#include <optional>

namespace kiln {

/// Thread-safe. A fault keeps nothing and finds nothing.
inline std::optional<Sections> find_note(CacheFolder& folder, const CacheKey& key) try {
  if (folder.state() != CacheFolder::State::good) return std::nullopt;
  Sections sections;
  FileStatus status;
  if (folder.read(EntryKind::note, key, sections, &status) != CacheFolder::ReadResult::good) return std::nullopt;
  if (folder.is_stale(status)) folder.stamp(EntryKind::note, key.name);
  return sections;
} catch (const std::exception&) {  // no memory
  return std::nullopt;
}

inline void put_note(CacheFolder& folder, const CacheKey& key, const Sections& sections, Sync sync = Sync::off) try {
  if (!folder.is_writable()) return;
  folder.publish(EntryKind::note, key, sections, sync);
} catch (const std::exception&) {  // no memory
}

}  // namespace kiln
