// Entries of a cache folder into a bundle, and a bundle's entries into a cache folder.
#include "cache/bundle.hpp"
#include "cache/entry_path.hpp"
#include "cache/store.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

namespace kiln {

namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& path, int code) {
  throw Error("cannot " + what + " " + path + ": " + std::generic_category().message(-code));
}

/// Adds the variants of `from` before all others, in their order.
template <class Wanted>
void add_variants(Manifest& to, const Manifest& from, const Wanted& wanted) {
  for (std::size_t i = from.size(); i-- > 0;) {
    std::optional<Dependencies> dependencies = from.dependencies(i);
    if (dependencies && wanted(i)) to.add(from.key(i), from.header_lists(i), *dependencies);
  }
}

}  // namespace

std::uint64_t CacheStore::export_to(const std::string& path) {
  require_usable();
  BundleWriter bundle(files_, path);
  std::uint64_t entries = 0;
  const int code = folder_.for_each([&](EntryKind kind, const std::string& file) {
    if (kind == EntryKind::history || kind == EntryKind::source) return;
    const Digest key = key_of_path(file);
    Sections sections;
    if (counted(folder_.read(kind, key, sections)) != ReadResult::good) return;
    bundle.add(encode_entry(kind, key, sections));
    if (kind == EntryKind::code) ++entries;
  });
  if (code != 0) refuse("read the cache folder", directory(), code);
  bundle.finish();
  statistics_.flush();
  return entries;
}

std::uint64_t CacheStore::import_from(const std::string& path) {
  require_usable();
  const BundleReader bundle(files_, path);
  std::uint64_t entries = 0;
  // A manifest leads to code and headers, so these come first.
  for (const EntryKind kind :
       {EntryKind::code, EntryKind::headers, EntryKind::manifest, EntryKind::makers, EntryKind::note})
    for (const BundleReader::Item& item : bundle.items()) {
      if (item.name.kind != kind) continue;
      const Sections sections = bundle.read(item);
      if (kind == EntryKind::manifest) {
        import_manifest(sections);
      } else if (kind == EntryKind::makers) {
        import_makers(sections);
      } else if (import_entry(kind, item.name.key, sections) && kind == EntryKind::code) {
        ++entries;
      }
    }
  if (folder_.state() == CacheFolder::State::good) make_room(statistics_.flush(), false);
  return entries;
}

template <class Key>
void CacheStore::import_file(EntryKind kind, const Key& key, const Sections& sections) {
  std::uint64_t bytes = 0;
  const int code = folder_.publish(kind, key, sections, &bytes);
  statistics_.add(Counter::bytes, bytes);
  if (code != 0) refuse("write into the cache folder", directory(), code);
}

bool CacheStore::import_entry(EntryKind kind, const Digest& key, const Sections& sections) {
  Sections known;
  if (counted(folder_.read(kind, key, known)) == ReadResult::good) return false;
  import_file(kind, key, sections);
  return true;
}

// This machine's variants stay before the bundle's, and in the place of equal ones. A variant whose code or headers
// are neither here nor in the bundle leads nowhere, and is left out.
void CacheStore::import_manifest(const Sections& sections) {
  const auto canonical = sections.find(request_label);
  std::optional<Manifest> from = Manifest::decode(sections);
  if (!canonical || !from) return;  // the bundle was checked
  const CacheKey request{std::string(*canonical)};
  from->distrust_states();  // another machine's: contents are compared once instead
  Manifest merged;
  add_variants(merged, *from, [&](std::size_t i) {
    const Digest lists = from->header_lists(i);
    return is_there(EntryKind::code, from->key(i)) && (lists == Digest{} || is_there(EntryKind::headers, lists));
  });
  Sections there;
  const ReadResult result = counted(folder_.read(EntryKind::manifest, request, there));
  // Not to be taken for missing because it cannot be read now: what it holds would be lost.
  if (result == ReadResult::missing && is_there(EntryKind::manifest, request.name))
    refuse("read", folder_.path(EntryKind::manifest, request.name), -EIO);
  std::optional<Manifest> known;
  if (result == ReadResult::good) known = Manifest::decode(there);
  if (known) add_variants(merged, *known, [](std::size_t) { return true; });
  const Sections changed = merged.encode();
  if (merged.size() == 0 || (known && known->encode().all() == changed.all())) return;
  import_file(EntryKind::manifest, request, changed);
}

void CacheStore::import_makers(const Sections& sections) {
  const std::vector<std::string> known = makers();
  const auto all = sections.all();
  for (auto one = all.rbegin(); one != all.rend(); ++one)  // the newest is noted last
    if (one->first == "maker" && std::find(known.begin(), known.end(), one->second) == known.end())
      note_maker(std::string(one->second));
}

bool CacheStore::is_there(EntryKind kind, const Digest& key) {
  FileStatus ignored;
  const int code = files_.status(folder_.path(kind, key), ignored);
  if (code != 0 && code != -ENOENT) refuse("look at", folder_.path(kind, key), code);
  return code == 0;
}

}  // namespace kiln
