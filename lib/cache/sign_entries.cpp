#include "cache/sign_entries.hpp"

#include "cache/signing/signed_file.hpp"

#include <string>

namespace kiln {

namespace {

/// Where the present file is not signed by that key. One signature of one content is always the same.
void sign_file(CacheFolder& folder, const SigningKey& key, EntryKind kind, const Digest& name,
               const Sections& sections) {
  const Sections all = with_signature(key, kind, name, sections);
  if (all.all() == sections.all()) return;
  const std::size_t size_before = encode_entry(kind, name, sections).size();
  const int code = folder.publish(kind, name, all);
  if (code != 0) throw_cache_error("write into the cache folder", folder.root(), code);
  folder.count(Counter::bytes, std::uint64_t{0} - size_before);  // its place is the other's
}

}  // namespace

std::uint64_t sign_entries(CacheFolder& folder, const SigningKey& key) {
  folder.require_usable();
  std::uint64_t entries = 0;
  const int code = folder.for_each([&](EntryKind kind, const std::string& file) {
    if (kind == EntryKind::history || is_bare(kind)) return;  // of no use elsewhere
    const Digest name = CacheFolder::key_of_path(file);
    Sections sections;
    if (folder.read(kind, name, sections) != CacheFolder::ReadResult::good) return;
    sign_file(folder, key, kind, name, sections);
    if (kind == EntryKind::code) ++entries;
  });
  if (code != 0) throw_cache_error("read the cache folder", folder.root(), code);
  folder.write_counts();
  return entries;
}

}  // namespace kiln
