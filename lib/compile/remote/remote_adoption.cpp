#include "compile/remote/remote_adoption.hpp"

#include "cache/notes.hpp"
#include "compile/code/code_sections.hpp"

#include <utility>

namespace kiln {

namespace {

/// Without the request, which the cache adds itself.
Sections without_request(const Sections& sections) {
  Sections others;
  for (const auto& [label, content] : sections.all())
    if (label != request_label) others.add(label, content);
  return others;
}

}  // namespace

std::optional<RemoteManifest::Variant> variant_here(CacheStore& own, const WantedEntry& wanted, std::string file) {
  const auto manifest = RemoteManifest::decode(wanted.key, std::move(file));
  return manifest ? manifest->find(own.folder().files(), wanted.roots) : std::nullopt;
}

bool adopt_code(CacheStore& own, const WantedEntry& wanted, const Digest& key, const Dependencies& dependencies,
                std::string file) {
  const auto sections = decode_entry(EntryKind::code, key, std::move(file));
  if (!sections) return false;
  if (!wanted.may_include && sections->find(request_label) != wanted.key.request) return false;
  if (wanted.may_include && code_key(wanted.key.request, dependencies) != key) return false;
  const Sections code = without_request(*sections);
  if (from_sections(code) == nullptr) return false;
  bool stored = false;
  own.put(wanted.key, wanted.may_include, dependencies, code, &stored);
  return stored;
}

bool adopt_note(CacheStore& own, const WantedEntry& wanted, std::string file) {
  const auto sections = decode_entry(EntryKind::note, wanted.key.name, std::move(file));
  if (!sections || sections->find(request_label) != wanted.key.request) return false;
  put_note(own.folder(), wanted.key, without_request(*sections));
  return true;
}

}  // namespace kiln
