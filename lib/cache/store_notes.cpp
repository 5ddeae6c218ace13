// What a cache folder keeps beside code: notes, and sources for debuggers. Best effort: a fault keeps nothing.
#include "cache/store.hpp"

#include <exception>

namespace kiln {

std::optional<Sections> CacheStore::find_note(const CacheKey& key) {
  if (folder_.state() != CacheFolder::State::good) return std::nullopt;
  try {
    Sections sections;
    FileStatus status;
    if (counted(folder_.read(EntryKind::note, key, sections, status)) != ReadResult::good) return std::nullopt;
    if (folder_.is_stale(status)) folder_.stamp(EntryKind::note, key.name);
    return sections;
  } catch (const std::exception&) {  // no memory
    return std::nullopt;
  }
}

void CacheStore::put_note(const CacheKey& key, const Sections& sections) {
  if (!folder_.writable()) return;
  try {
    std::uint64_t bytes = 0;
    folder_.publish(EntryKind::note, key, sections, &bytes);
    statistics_.add(Counter::bytes, bytes);
  } catch (const std::exception&) {  // no memory
  }
}

std::string CacheStore::keep_source(std::string_view text) {
  if (!folder_.writable() || folder_.prepare() != 0) return {};
  try {
    const Digest key = digest_of(text);
    std::string path = folder_.path(EntryKind::source, key);
    FileStatus status;
    if (files_.status(path, status) == 0 && status.size == text.size()) {
      if (folder_.is_stale(status)) folder_.stamp(EntryKind::source, key);
      return path;
    }
    Sections sections;
    sections.add("text", text);
    std::uint64_t bytes = 0;
    if (folder_.publish(EntryKind::source, key, sections, &bytes) != 0) return {};
    statistics_.add(Counter::bytes, bytes);
    return path;
  } catch (const std::exception&) {  // no memory
    return {};
  }
}

}  // namespace kiln
