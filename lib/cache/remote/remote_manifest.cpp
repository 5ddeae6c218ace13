#include "cache/remote/remote_manifest.hpp"

#include "cache/dependency_codec.hpp"
#include "cache/digest_memory.hpp"
#include "cache/file_observer.hpp"

#include <utility>

namespace kiln {

namespace {

constexpr std::string_view lists_label = "headers of ";

}  // namespace

std::optional<RemoteManifest> RemoteManifest::decode(const CacheKey& request, std::string bytes) {
  auto decoded = decode(request.name, std::move(bytes));
  return decoded && decoded->request_.request == request.request ? std::move(decoded) : std::nullopt;
}

std::optional<RemoteManifest> RemoteManifest::decode(const Digest& name, std::string bytes) {
  const auto sections = decode_entry(EntryKind::manifest, name, std::move(bytes));
  const auto request = sections ? sections->find(request_label) : std::nullopt;
  if (!request || digest_of(*request) != name) return std::nullopt;
  auto manifest = Manifest::decode(*sections);
  if (!manifest) return std::nullopt;
  RemoteManifest decoded(CacheKey{std::string(*request)});
  decoded.manifest_ = *std::move(manifest);
  for (const auto& [label, content] : sections->all())
    if (label.starts_with(lists_label)) decoded.header_lists_.emplace(digest_of(content), content);
  return decoded;
}

bool RemoteManifest::has(const Digest& key) const {
  for (std::size_t i = 0; i < size(); ++i)
    if (manifest_.key(i) == key) return true;
  return false;
}

Sections RemoteManifest::in_folder() const {
  Sections sections = manifest_.encode();
  sections.add(request_label, request_.request);
  return sections;
}

std::string RemoteManifest::encode() const {
  Manifest manifest = manifest_;
  manifest.distrust_states();
  Sections sections = manifest.encode();
  const std::optional<Manifest> kept = Manifest::decode(sections);  // without variants that were too many
  std::map<Digest, std::string_view> needed;
  for (std::size_t i = 0; kept && i < kept->size(); ++i)
    if (const auto lists = header_lists_.find(kept->header_lists(i)); lists != header_lists_.end())
      needed.emplace(lists->first, lists->second);
  for (const auto& [digest, lists] : needed) sections.add(std::string(lists_label) + digest.hex(), lists);
  sections.add(request_label, request_.request);
  return encode_entry(EntryKind::manifest, request_.name, sections);
}

void RemoteManifest::add(const Digest& key, const Dependencies& dependencies) {
  std::string lists = encode_header_lists(dependencies);
  Digest digest;
  if (!lists.empty()) {
    digest = digest_of(lists);
    header_lists_.insert_or_assign(digest, std::move(lists));
  }
  manifest_.add(key, digest, dependencies);
}

void RemoteManifest::add_older(const RemoteManifest& other) {
  RemoteManifest both(request_);
  for (const RemoteManifest* const one : {&other, static_cast<const RemoteManifest*>(this)})
    for (std::size_t i = one->size(); i-- > 0;)
      if (const auto dependencies = one->dependencies(i)) both.add(one->manifest_.key(i), *dependencies);
  *this = std::move(both);
}

std::string RemoteManifest::with_newer(const std::string& bytes) const {
  auto newer = decode(request_, bytes);
  if (!newer) return bytes;
  newer->add_older(*this);
  return newer->encode();
}

std::optional<Dependencies> RemoteManifest::dependencies(std::size_t variant) const {
  auto known = manifest_.dependencies(variant);
  if (!known || known->headers_known) return known;
  const auto lists = header_lists_.find(manifest_.header_lists(variant));
  if (lists == header_lists_.end() || !decode_header_lists(lists->second, *known)) return std::nullopt;
  known->headers_known = true;
  return known;
}

std::optional<RemoteManifest::Variant> RemoteManifest::find(FileSystem& files, const Roots& roots) const {
  FileObserver observer(files, size() > 1, &DigestMemory::get());
  for (std::size_t i = 0; i < size(); ++i) {
    auto here = dependencies(i);
    if (!here) continue;
    const auto has_none = [](Dependencies&) { return false; };
    if (check_dependencies(observer, roots, *here, nullptr, has_none) != Freshness::changed)
      return Variant{manifest_.key(i), *std::move(here)};
  }
  return std::nullopt;
}

}  // namespace kiln
