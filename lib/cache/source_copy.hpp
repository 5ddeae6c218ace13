// The text of a source that is in no file of the user's, in a file for debuggers.
#pragma once

#include "cache/cache_folder.hpp"

#include <exception>
#include <string>
#include <string_view>

namespace kiln {

/// Stores the bare text in a file of the cache; its path, the same for the same text. Empty where it cannot be stored.
/// Thread-safe.
inline std::string keep_source_copy(CacheFolder& folder, std::string_view text) try {
  if (!folder.is_writable() || folder.prepare() != 0) return {};
  const Digest key = digest_of(text);
  std::string path = folder.path(EntryKind::source, key);
  FileStatus status;
  if (folder.files().status(path, status) == 0 && status.size == text.size()) {
    if (folder.is_stale(status)) folder.stamp(EntryKind::source, key);
    return path;
  }
  Sections sections;
  sections.add("text", text);
  return folder.publish(EntryKind::source, key, sections) == 0 ? path : std::string();
} catch (const std::exception&) {  // no memory
  return {};
}

}  // namespace kiln
