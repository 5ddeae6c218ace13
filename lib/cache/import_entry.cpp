#include "cache/import_entry.hpp"

#include "cache/manifest.hpp"

#include <cerrno>
#include <optional>

namespace kiln {

namespace {

/// Adds the variants of `from` before all others, in their order.
template <class Wanted>
void add_variants(Manifest& to, const Manifest& from, const Wanted& wanted) {
  for (std::size_t i = from.size(); i-- > 0;) {
    std::optional<Dependencies> dependencies = from.dependencies(i);
    if (dependencies && wanted(i)) to.add(from.key(i), from.header_lists(i), *dependencies);
  }
}

bool is_there(const CacheFolder& folder, EntryKind kind, const Digest& key) {
  const std::string path = folder.path(kind, key);
  FileStatus ignored;
  const int code = folder.files().status(path, ignored);
  if (code != 0 && code != -ENOENT) throw_cache_error("look at", path, code);
  return code == 0;
}

template <class Key>
void import_file(CacheFolder& folder, EntryKind kind, const Key& key, const Sections& sections) {
  const int code = folder.publish(kind, key, sections);
  if (code != 0) throw_cache_error("write into the cache folder", folder.root(), code);
}

}  // namespace

bool import_entry(CacheFolder& folder, EntryKind kind, const Digest& key, const Sections& sections) {
  Sections known;
  if (folder.read(kind, key, known) == CacheFolder::ReadResult::good) return false;
  import_file(folder, kind, key, sections);
  return true;
}

// This machine's variants stay before the bundle's, and replace equal ones. A variant whose code or headers are neither
// here nor in the bundle leads nowhere, and is left out.
void import_manifest(CacheFolder& folder, const Sections& sections) {
  const auto canonical = sections.find(request_label);
  std::optional<Manifest> from = Manifest::decode(sections);
  if (!canonical || !from) return;  // the bundle was checked
  const CacheKey request{std::string(*canonical)};
  from->distrust_states();  // another machine's: contents are compared once instead
  Manifest merged;
  add_variants(merged, *from, [&](std::size_t i) {
    const Digest lists = from->header_lists(i);
    return is_there(folder, EntryKind::code, from->key(i)) &&
           (lists == Digest{} || is_there(folder, EntryKind::headers, lists));
  });
  Sections there;
  const CacheFolder::ReadResult result = folder.read(EntryKind::manifest, request, there);
  // One that is there and cannot be read now is not missing: what it holds would be lost.
  if (result == CacheFolder::ReadResult::missing && is_there(folder, EntryKind::manifest, request.name))
    throw_cache_error("read", folder.path(EntryKind::manifest, request.name), -EIO);
  std::optional<Manifest> known;
  if (result == CacheFolder::ReadResult::good) known = Manifest::decode(there);
  if (known) add_variants(merged, *known, [](std::size_t) { return true; });
  const Sections changed = merged.encode();
  if (merged.size() == 0 || (known && known->encode().all() == changed.all())) return;
  import_file(folder, EntryKind::manifest, request, changed);
}

}  // namespace kiln
