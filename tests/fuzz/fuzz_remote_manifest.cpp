// Manifests as they are at a remote: of one request, with the header lists of its variants.
#include "cache/dependency_codec.hpp"
#include "cache/remote/remote_manifest.hpp"
#include "fuzz.hpp"

#include <algorithm>
#include <vector>

namespace fuzz_remote_manifest {

using namespace kiln;
using namespace kiln::fuzz;

namespace {

/// What another machine can use of a variant: all but the states of files.
std::optional<std::string> use_of(const RemoteManifest& manifest, std::size_t variant) {
  const auto dependencies = manifest.dependencies(variant);
  if (!dependencies) return std::nullopt;
  return manifest.key(variant).hex() + encode_header_lists(*dependencies);
}

std::vector<std::string> uses_of(const RemoteManifest& manifest) {
  std::vector<std::string> uses;
  for (std::size_t i = 0; i < manifest.size(); ++i)
    if (const auto use = use_of(manifest, i)) uses.push_back(*use);
  return uses;
}

void check_written(const RemoteManifest& manifest) {
  const std::string file = manifest.encode();
  const auto again = RemoteManifest::decode(manifest.request(), file);
  require(again.has_value(), "a manifest that was read can be written and read");
  require(again->encode() == file, "a manifest settles");
  const auto uses = uses_of(manifest), kept = uses_of(*again);
  for (const std::string& use : kept)
    require(std::find(uses.begin(), uses.end(), use) != uses.end(), "no variant comes from nowhere");
  require(uses.empty() == kept.empty() && (uses.empty() || uses.front() == kept.front()), "the newest stays first");
}

void check_joined(const RemoteManifest& manifest) {
  const RemoteManifest none(manifest.request());
  RemoteManifest both = none;
  both.add_older(manifest);
  const auto uses = uses_of(manifest), joined = uses_of(both);
  require(joined.empty() == uses.empty() && (uses.empty() || joined.front() == uses.front()),
          "variants that are older than none are what there is");
  const auto newer = RemoteManifest::decode(manifest.request(), manifest.with_newer(none.encode()));
  require(newer && newer->size() <= both.size(), "a newer one without variants takes the older ones");
}

void check_manifest(const Digest& name, const std::string& file) {
  const auto manifest = RemoteManifest::decode(name, file);
  if (!manifest) return;
  require(manifest->request().name == name, "a manifest is of the request that its name is of");
  require(!RemoteManifest::decode(digest_of(file), file), "a manifest is not read under another name");
  for (const auto& [digest, lists] : manifest->header_lists())
    require(digest_of(lists) == digest, "header lists are under the names of their content");
  const auto in_folder = Manifest::decode(manifest->in_folder());
  require(in_folder && (in_folder->size() == 0) == (manifest->size() == 0), "a manifest can go into a folder");
  check_written(*manifest);
  check_joined(*manifest);
}

/// Of the request that stands in it, or of one that is put there.
void check_named(Sections sections) {
  if (!sections.find(request_label)) sections.add(request_label, "a request");
  const Digest name = digest_of(*sections.find(request_label));
  check_manifest(name, encode_entry(EntryKind::manifest, name, sections));
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  const EntryInput input(view_of(data, size));
  check_manifest(input.key(), input.as_it_is());
  check_manifest(input.key(), input.repaired(EntryKind::manifest));
  check_named(input.rebuilt());
  return 0;
}

}  // namespace fuzz_remote_manifest
