#include "cache/bundle_transfer.hpp"

#include "cache/bundle.hpp"
#include "cache/eviction.hpp"
#include "cache/import_entry.hpp"
#include "cache/makers.hpp"

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

}  // namespace kiln
