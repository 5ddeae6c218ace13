#include "cache/entry_content.hpp"

#include "cache/manifest.hpp"

namespace kiln {

namespace {

bool is_manifest(const Sections& sections) {
  const std::optional<Manifest> manifest = Manifest::decode(sections);
  if (!manifest) return false;
  for (std::size_t i = 0; i < manifest->size(); ++i)
    if (!manifest->dependencies(i)) return false;
  return true;
}

}  // namespace

bool makes_sense(const EntryName& name, const Sections& sections) {
  const auto request = sections.find(request_label);
  if (request && digest_of(*request) != name.key) return false;
  switch (name.kind) {
    case EntryKind::code:  // after a manifest, which has the request
    case EntryKind::source:
    case EntryKind::pch:
    case EntryKind::tree:
      return true;
    case EntryKind::history:
    case EntryKind::makers:
    case EntryKind::note:
      return request.has_value();
    case EntryKind::headers: {
      const auto lists = sections.find("headers");
      return lists && digest_of(*lists) == name.key;
    }
    case EntryKind::manifest:
      return request && is_manifest(sections);
  }
  return false;
}

}  // namespace kiln
