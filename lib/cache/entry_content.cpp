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
  switch (name.kind) {
    case EntryKind::code:
    case EntryKind::history:
    case EntryKind::makers:
    case EntryKind::note:
    case EntryKind::source:
      return true;
    case EntryKind::headers: {
      const auto lists = sections.find("headers");
      return lists && digest_of(*lists) == name.key;
    }
    case EntryKind::manifest:
      return is_manifest(sections);
  }
  return false;
}

}  // namespace kiln
