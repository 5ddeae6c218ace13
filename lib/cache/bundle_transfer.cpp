#include "cache/bundle_transfer.hpp"

#include "cache/bundle.hpp"
#include "cache/eviction.hpp"
#include "cache/makers.hpp"
#include "cache/manifest.hpp"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

namespace kiln {

namespace {

void import_makers(CacheFolder& folder, const Sections& sections) {
  const std::vector<std::string> known = makers_in(folder);
  const auto all = sections.all();
  for (auto one = all.rbegin(); one != all.rend(); ++one)  // the newest is added last
    if (one->first == "maker" && std::find(known.begin(), known.end(), one->second) == known.end())
      add_maker(folder, std::string(one->second));
}

}  // namespace

std::uint64_t export_entries(CacheFolder& folder, const std::string& path, const SigningKey* key) {
  folder.require_usable();
  BundleWriter bundle(folder.files(), path, key);
  std::uint64_t entries = 0;
  const int code = folder.for_each([&](EntryKind kind, const std::string& file) {
    if (kind == EntryKind::history || is_bare(kind)) return;
    const Digest name = CacheFolder::key_of_path(file);
    Sections sections;
    if (folder.read(kind, name, sections) != CacheFolder::ReadResult::good) return;
    bundle.add(encode_entry(kind, name, sections));
    if (kind == EntryKind::code) ++entries;
  });
  if (code != 0) throw_cache_error("read the cache folder", folder.root(), code);
  bundle.finish();
  folder.write_counts();
  return entries;
}

std::uint64_t import_entries(CacheFolder& folder, const std::string& path, const PublicKeys* keys) {
  folder.require_usable();
  const BundleReader bundle(folder.files(), path, keys);
  std::uint64_t entries = 0;
  // Code and headers come first, because manifests lead to them.
  for (const EntryKind kind :
       {EntryKind::code, EntryKind::headers, EntryKind::manifest, EntryKind::makers, EntryKind::note})
    for (const BundleReader::Item& item : bundle.items()) {
      if (item.name.kind != kind) continue;
      const Sections sections = bundle.read(item);
      if (kind == EntryKind::manifest) {
        import_manifest(folder, sections);
      } else if (kind == EntryKind::makers) {
        import_makers(folder, sections);
      } else if (import_entry(folder, kind, item.name.key, sections) && kind == EntryKind::code) {
        ++entries;
      }
    }
  enforce_size_limit(folder, false);
  return entries;
}

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
