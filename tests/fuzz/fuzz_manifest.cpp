// Manifests, their dependencies, and the header lists that stand in files of their own.
#include "cache/dependency_codec.hpp"
#include "cache/manifest.hpp"
#include "fuzz.hpp"

#include <algorithm>
#include <vector>

namespace fuzz_manifest {

using namespace kiln;
using namespace kiln::fuzz;

namespace {

/// What a look-up sees of a variant.
struct Seen {
  Digest key;
  Digest header_lists;
  std::optional<std::vector<std::string>> items;
  bool headers_known = false;
  bool operator==(const Seen&) const = default;
};

Seen see(const Manifest& manifest, std::size_t variant) {
  Seen seen{manifest.key(variant), manifest.header_lists(variant), std::nullopt};
  if (const auto dependencies = manifest.dependencies(variant)) {
    seen.items = encode_items(*dependencies);
    seen.headers_known = dependencies->headers_known;
  }
  return seen;
}

std::optional<Manifest> again(const Manifest& manifest) { return Manifest::decode(manifest.encode()); }

void check_items(const Dependencies& dependencies) {
  const std::vector<std::string> items = encode_items(dependencies);
  Dependencies back;
  for (const std::string& item : items) require(decode_item(item, back), "an item that was written can be read");
  require(encode_items(back) == items, "items survive");
}

void check_addition(Manifest manifest, const Dependencies& dependencies) {
  const Digest key = digest_of("new");
  if (!manifest.add(key, {}, dependencies)) return;
  const auto read = again(manifest);
  require(read && read->size() > 0 && read->key(0) == key, "a new variant stands first");
  require(encode_items(read->dependencies(0).value()) == encode_items(dependencies), "a new variant survives");
}

void check_manifest(const Sections& sections) {
  const std::optional<Manifest> manifest = Manifest::decode(sections);
  if (!manifest) return;
  const auto read = again(*manifest);
  require(read.has_value(), "a manifest that was read can be written and read");
  require(read->size() <= manifest->size() && (read->size() > 0) == (manifest->size() > 0), "the newest stay");
  for (std::size_t i = 0; i < read->size(); ++i) require(see(*read, i) == see(*manifest, i), "a variant survives");
  const Sections once = read->encode();
  require(once.all() == manifest->encode().all(), "a manifest settles");
  // The first ones: there may be a hundred, each with all items.
  for (std::size_t i = 0; i < std::min<std::size_t>(manifest->size(), 3); ++i) {
    const auto dependencies = manifest->dependencies(i);
    if (!dependencies) continue;
    check_items(*dependencies);
    check_addition(*manifest, *dependencies);
  }
}

void check_header_lists(std::string_view bytes) {
  for (const std::size_t folders : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{5}}) {
    Dependencies dependencies;
    dependencies.folders.resize(folders);
    dependencies.headers_known = false;
    const bool read = decode_header_lists(bytes, dependencies);
    require(dependencies.headers_known == read, "headers are known once they were read");
    bool any = false;
    for (const FolderDependency& folder : dependencies.folders) any = any || !folder.headers.empty();
    require(read || !any, "nothing is filled in from bytes that do not fit");
    require(encode_header_lists(dependencies) == (any ? bytes : ""), "lists that were read are written as they were");
  }
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = view_of(data, size);
  const EntryInput input(bytes);
  for (const EntryKind kind : {EntryKind::manifest, EntryKind::headers})
    for (const std::string& file :
         {input.as_it_is(), input.repaired(kind), encode_entry(kind, input.key(), input.rebuilt())}) {
      const auto sections = decode_checked(kind, input.key(), file);
      if (sections && kind == EntryKind::manifest) check_manifest(*sections);
      if (sections && kind == EntryKind::headers) check_header_lists(sections->find("headers").value_or(""));
    }
  check_header_lists(bytes);
  Dependencies single;
  if (decode_item(bytes, single))
    require(encode_items(single) == std::vector<std::string>{std::string(bytes)}, "an item is written as it was");
  return 0;
}

}  // namespace fuzz_manifest
