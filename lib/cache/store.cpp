#include "cache/store.hpp"

#include "cache/dependency_codec.hpp"
#include "cache/eviction.hpp"
#include "cache/file_observer.hpp"
#include "cache/warning.hpp"

#include <cerrno>
#include <exception>
#include <mutex>
#include <system_error>
#include <utility>

namespace kiln {

CacheStore::CacheStore(FileSystem& files, std::string directory, Access access, Trust trust)
    : folder_(files, std::move(directory), access, std::move(trust)) {}

std::optional<CacheStore::Hit> CacheStore::find(const CacheKey& request, bool has_dependencies, const Roots& roots,
                                                std::string* changed) try {
  std::optional<Hit> hit = locate(request, has_dependencies, roots, changed);
  if (hit && !read_entry(request, has_dependencies, *hit)) hit.reset();
  return hit;
} catch (const std::exception&) {  // no memory
  return std::nullopt;
}

std::optional<CacheStore::Hit> CacheStore::find_whole(const CacheKey& request, bool has_dependencies,
                                                      const Roots& roots) {
  std::optional<Hit> hit = find(request, has_dependencies, roots);
  if (hit && !hit->dependencies.headers_known && !load_headers(hit->header_lists, hit->dependencies)) hit.reset();
  return hit;
}

std::optional<Digest> CacheStore::find_key(const CacheKey& request, bool has_dependencies, const Roots& roots) try {
  const std::optional<Hit> hit = locate(request, has_dependencies, roots, nullptr);
  FileStatus status;
  if (!hit || folder_.files().status(folder_.path(EntryKind::code, hit->key), status) != 0) return std::nullopt;
  if (folder_.is_stale(status)) folder_.stamp(EntryKind::code, hit->key);
  return hit->key;
} catch (const std::exception&) {  // no memory
  return std::nullopt;
}

/// A hit whose entry is not read yet.
std::optional<CacheStore::Hit> CacheStore::locate(const CacheKey& request, bool has_dependencies, const Roots& roots,
                                                  std::string* changed) {
  if (folder_.state() != CacheFolder::State::good) return std::nullopt;
  if (has_dependencies) return find_variant(request, roots, changed);
  Hit hit;
  hit.key = request.name;
  return hit;
}

std::optional<CacheStore::Hit> CacheStore::find_variant(const CacheKey& request, const Roots& roots,
                                                        std::string* changed) {
  FileStatus manifest_status;
  std::optional<Manifest> manifest = read_manifest(request, manifest_status);
  if (!manifest) return std::nullopt;
  const bool several = manifest->size() > 1;
  FileObserver observer(folder_.files(), several);
  observer.find_age_by([&] {
    const auto now = folder_.is_writable() ? folder_.file_time_now() : std::nullopt;
    return now ? *now - manifest_status.mtime_ns : 0;
  });
  const auto take = [&](std::size_t variant, Dependencies&& dependencies, bool refreshed) {
    Hit hit;
    hit.key = manifest->key(variant);
    hit.header_lists = manifest->header_lists(variant);
    hit.refreshed = refreshed;
    hit.dependencies = std::move(dependencies);
    return hit;
  };
  // First by fingerprints alone: of two checkouts of one tree each finds its own variant, and no header is read.
  for (std::size_t i = 0; several && i < manifest->size(); ++i) {
    std::optional<Dependencies> dependencies = manifest->dependencies(i);
    if (!dependencies || !unchanged(observer, roots, *dependencies)) continue;
    Hit hit = take(i, std::move(*dependencies), false);
    stamp_manifest(request, hit.header_lists, manifest_status);
    return hit;
  }
  for (std::size_t i = 0; i < manifest->size(); ++i) {
    std::optional<Dependencies> dependencies = manifest->dependencies(i);
    if (!dependencies) continue;
    const Digest lists = manifest->header_lists(i);
    std::string what;
    const Freshness freshness =
        check_dependencies(observer, roots, *dependencies, &what,
                           [&](Dependencies& incomplete) { return load_headers(lists, incomplete); });
    if (freshness == Freshness::changed) {
      if (changed != nullptr && changed->empty()) *changed = what;
      continue;
    }
    Hit hit = take(i, std::move(*dependencies), freshness == Freshness::refreshed);
    const bool kept = freshness != Freshness::unchanged && folder_.is_writable() &&
                      (hit.refreshed ? publish_states(request, hit)
                                     : publish_confirmed(request, *manifest, i, hit.dependencies, manifest_status));
    if (!kept) stamp_manifest(request, lists, manifest_status);
    return hit;
  }
  return std::nullopt;
}

// The next two are best effort: where they fail, the next look-up compares again.

// Adds to the present manifest, so that of many hosts that compared contents at one time few lose their fingerprints.
// More hosts than a manifest has fingerprints replace each other's, at most once a minute.
bool CacheStore::publish_states(const CacheKey& request, const Hit& hit) {
  FileStatus status;
  std::optional<Manifest> manifest = read_manifest(request, status);
  if (!manifest || (manifest->is_full(hit.key) && is_of_this_minute(status))) return false;
  return manifest->add(hit.key, hit.header_lists, hit.dependencies) &&
         folder_.publish(EntryKind::manifest, request, manifest->encode()) == 0;
}

bool CacheStore::is_of_this_minute(const FileStatus& status) const {
  constexpr std::int64_t minute_ns = 60'000'000'000;
  const std::int64_t age = folder_.files().now_ns() - status.mtime_ns;
  return age >= 0 && age < minute_ns;
}

// A folder that changes all the time, such as a build folder, costs checks of a few names each time, and at most one
// manifest a minute.
bool CacheStore::publish_confirmed(const CacheKey& request, Manifest& manifest, std::size_t variant,
                                   const Dependencies& dependencies, const FileStatus& status) {
  return !is_of_this_minute(status) && manifest.renew(variant, dependencies) &&
         folder_.publish(EntryKind::manifest, request, manifest.encode()) == 0;
}

std::optional<Manifest> CacheStore::read_manifest(const CacheKey& request, FileStatus& status) {
  Sections sections;
  if (folder_.read(EntryKind::manifest, request, sections, &status) != CacheFolder::ReadResult::good)
    return std::nullopt;
  std::optional<Manifest> manifest = Manifest::decode(sections);
  if (!manifest) folder_.remove_malformed(EntryKind::manifest, request.name);
  return manifest;
}

bool CacheStore::read_entry(const CacheKey& request, bool has_dependencies, Hit& hit) {
  if (!folder_.is_writable()) {
    const std::lock_guard<ForkSafeMutex> lock(discarded_mutex_);
    if (discarded_.count(hit.key) != 0) return false;
  }
  FileStatus status;
  // The manifest that led to it has the request.
  const CacheFolder::ReadResult result = has_dependencies
                                             ? folder_.read(EntryKind::code, hit.key, hit.sections, &status)
                                             : folder_.read(EntryKind::code, request, hit.sections, &status);
  if (result != CacheFolder::ReadResult::good) return false;
  if (folder_.is_stale(status)) folder_.stamp(EntryKind::code, hit.key);
  return true;
}

bool CacheStore::load_headers(const Digest& lists, Dependencies& dependencies) {
  Sections sections;
  if (folder_.read(EntryKind::headers, lists, sections) != CacheFolder::ReadResult::good) return false;
  const auto content = sections.find("headers");
  return content && decode_header_lists(*content, dependencies);
}

// The header lists are seldom read; they are touched too, so that they are not evicted before the manifests that need
// them.
void CacheStore::stamp_manifest(const CacheKey& request, const Digest& lists, const FileStatus& status) {
  if (!folder_.is_stale(status)) return;
  folder_.stamp(EntryKind::manifest, request.name);
  if (lists != Digest{}) folder_.stamp(EntryKind::headers, lists);
}

Digest CacheStore::put(const CacheKey& request, bool has_dependencies, const Dependencies& dependencies,
                       const Sections& sections, bool* stored, Sync sync) {
  Digest key = request.name;
  if (!folder_.is_writable()) return key;
  int code = -ENOMEM;
  bool swept = false;
  try {
    if (has_dependencies) key = code_key(request.request, dependencies);
    code = publish(request, has_dependencies, key, dependencies, sections, sync);
    if (code == 0) swept = folder_.sweep();
  } catch (const std::exception&) {
  }
  if (code != 0) warn_unwritable(code);
  if (stored != nullptr) *stored = code == 0;
  folder_.count(code == 0 ? Counter::stores : Counter::store_failures);
  enforce_size_limit(folder_, swept);
  return key;
}

void CacheStore::warn_unwritable(int code) const noexcept try {
  if (folder_.state() == CacheFolder::State::refused) return;  // and warned of, with the reason
  warn_of_cache(
      "cannot keep compiled code in the cache folder " + folder_.root() + ": " +
      std::generic_category().message(-code) +
      ". Kiln goes on without it, and compiles again in the next process. Set KILN_CACHE_DIR to a folder that "
      "can be written, or KILN_DISABLE_CACHE=1");
} catch (const std::exception&) {  // no memory for a warning
}

int CacheStore::publish(const CacheKey& request, bool has_dependencies, const Digest& key,
                        const Dependencies& dependencies, const Sections& sections, Sync sync) {
  if (!has_dependencies) return folder_.publish(EntryKind::code, request, sections, sync);
  int code = folder_.publish(EntryKind::code, key, sections, sync);
  if (code != 0) return code;
  code = publish_variant(request, key, dependencies, sync);
  if (code != 0) folder_.remove(EntryKind::code, key);
  return code;
}

// Read, change, publish, without a lock: of two processes that do it at once one may lose its variant, which costs a
// compile and no more.
int CacheStore::publish_variant(const CacheKey& request, const Digest& key, const Dependencies& dependencies,
                                Sync sync) {
  Digest lists;
  bool lists_are_new = false;
  const std::string headers = encode_header_lists(dependencies);
  if (!headers.empty()) {
    lists = digest_of(headers);
    // The name is the content's digest, so a file that is there need not be written again.
    lists_are_new = !folder_.holds(EntryKind::headers, lists);
    Sections sections;
    sections.add("headers", headers);
    const int code = lists_are_new ? folder_.publish(EntryKind::headers, lists, sections, sync) : 0;
    if (code != 0) return code;
  }
  FileStatus status;
  Manifest manifest = read_manifest(request, status).value_or(Manifest());
  if (!manifest.add(key, lists, dependencies)) return 0;
  const int code = folder_.publish(EntryKind::manifest, request, manifest.encode(), sync);
  if (code != 0 && lists_are_new) folder_.remove(EntryKind::headers, lists);
  return code;
}

void CacheStore::copy_from(CacheStore& other, const CacheKey& request, const Roots& roots, Hit& hit) try {
  if (!folder_.is_writable() || !roots.complete) return;
  if (!hit.dependencies.headers_known && !other.load_headers(hit.header_lists, hit.dependencies)) return;
  put(request, true, hit.dependencies, hit.sections);
} catch (const std::exception&) {  // no memory
}

void CacheStore::discard(const Digest& key) {
  try {
    if (folder_.is_writable()) {
      folder_.remove(EntryKind::code, key);
    } else {
      const std::lock_guard<ForkSafeMutex> lock(discarded_mutex_);
      discarded_.insert(key);
    }
  } catch (const std::exception&) {  // no memory
  }
  folder_.count(Counter::corrupt);
  folder_.write_counts();
}

}  // namespace kiln
