#include "cache/store.hpp"

#include "base/log.hpp"
#include "cache/dependency_codec.hpp"
#include "cache/file_observer.hpp"

#include <atomic>
#include <cerrno>
#include <exception>
#include <system_error>
#include <utility>

namespace kiln {

namespace {

// A program with an unwritable cache runs as it would without one: it is told once, whatever number of stores it has.
void warn_once(const std::string& directory, int code) noexcept {
  static std::atomic<bool> warned{false};
  if (warned.exchange(true)) return;
  try {
    log_message(LogLevel::warn, "cannot keep compiled code in the cache folder " + directory + ": " +
                                    std::generic_category().message(-code) +
                                    ". Kiln goes on without it, and compiles again in the next process. Set "
                                    "KILN_CACHE_DIR to a folder that can be written, or KILN_DISABLE_CACHE=1");
  } catch (const std::exception&) {  // no memory for a warning
  }
}

}  // namespace

CacheStore::CacheStore(FileSystem& files, std::string directory)
    : files_(files), folder_(files, std::move(directory)), statistics_(files, folder_.statistics_path()) {}

std::optional<CacheStore::Hit> CacheStore::look_up(const Digest& request, bool has_dependencies, const Roots& roots) {
  std::optional<Hit> hit;
  try {
    if (has_dependencies) {
      hit = find_variant(request, roots);
    } else {
      hit.emplace();
      hit->key = request;
      if (!read_entry(request, hit->sections)) hit.reset();
    }
  } catch (const std::exception&) {  // no memory
    hit.reset();
  }
  count(hit ? Counter::hits : Counter::misses);
  return hit;
}

std::optional<CacheStore::Hit> CacheStore::find_variant(const Digest& request, const Roots& roots) {
  std::optional<Manifest> manifest = read_manifest(request);
  if (!manifest) return std::nullopt;
  const bool several = manifest->size() > 1;
  FileObserver observer(files_, several);
  // First by states alone, so that of two checkouts of one tree each finds its own variant and no header is read.
  for (std::size_t i = 0; several && i < manifest->size(); ++i) {
    std::optional<Dependencies> dependencies = manifest->dependencies(i);
    if (!dependencies || !unchanged(observer, roots, *dependencies)) continue;
    Hit hit;
    hit.key = manifest->key(i);
    if (!read_entry(hit.key, hit.sections)) return std::nullopt;
    hit.dependencies = std::move(*dependencies);
    return hit;
  }
  for (std::size_t i = 0; i < manifest->size(); ++i) {
    std::optional<Dependencies> dependencies = manifest->dependencies(i);
    if (!dependencies) continue;
    const Digest key = manifest->key(i);
    const Digest lists = manifest->header_lists(i);
    std::string what;
    const Freshness freshness =
        check_dependencies(observer, roots, *dependencies, &what,
                           [&](Dependencies& incomplete) { return load_headers(lists, incomplete); });
    if (freshness == Freshness::changed) {
      if (log_enabled(LogLevel::debug)) log_message(LogLevel::debug, "changed since an earlier compile: " + what);
      continue;
    }
    Hit hit;
    hit.key = key;
    if (!read_entry(key, hit.sections)) return std::nullopt;
    // Best effort: where it fails, the next look-up reads the contents again.
    if (freshness == Freshness::refreshed && manifest->add(key, lists, *dependencies))
      folder_.publish(EntryKind::manifest, request, manifest->encode());
    hit.dependencies = std::move(*dependencies);
    return hit;
  }
  return std::nullopt;
}

std::optional<Manifest> CacheStore::read_manifest(const Digest& request) {
  Sections sections;
  if (counted(folder_.read(EntryKind::manifest, request, sections)) != ReadResult::good) return std::nullopt;
  std::optional<Manifest> manifest = Manifest::decode(sections);
  if (manifest) return manifest;
  folder_.remove(EntryKind::manifest, request);  // whole, and yet malformed: written by a program gone wrong
  counted(ReadResult::damaged);
  return std::nullopt;
}

bool CacheStore::read_entry(const Digest& key, Sections& sections) {
  return counted(folder_.read(EntryKind::code, key, sections)) == ReadResult::good;
}

bool CacheStore::load_headers(const Digest& lists, Dependencies& dependencies) {
  Sections sections;
  if (counted(folder_.read(EntryKind::headers, lists, sections)) != ReadResult::good) return false;
  const auto content = sections.find("headers");
  return content && decode_header_lists(*content, dependencies);
}

Digest CacheStore::put(const Digest& request, bool has_dependencies, const Dependencies& dependencies, const Roots&,
                       const Sections& sections) {
  Digest key = request;
  int code = -ENOMEM;
  try {
    if (has_dependencies) key = code_key(request, dependencies);
    code = store(request, has_dependencies, key, dependencies, sections);
    if (code == 0) folder_.sweep();
  } catch (const std::exception&) {
  }
  if (code != 0) warn_once(directory(), code);
  count(code == 0 ? Counter::stores : Counter::store_failures);
  return key;
}

int CacheStore::store(const Digest& request, bool has_dependencies, const Digest& key, const Dependencies& dependencies,
                      const Sections& sections) {
  int code = folder_.publish(EntryKind::code, key, sections);
  if (code != 0 || !has_dependencies) return code;
  code = store_variant(request, key, dependencies);
  if (code != 0) folder_.remove(EntryKind::code, key);
  return code;
}

// Read, change, publish, without a lock: of two processes that do it at once one may lose its variant, which costs a
// compile and no more.
int CacheStore::store_variant(const Digest& request, const Digest& key, const Dependencies& dependencies) {
  Digest lists;
  bool lists_are_new = false;
  const std::string headers = encode_header_lists(dependencies);
  if (!headers.empty()) {
    lists = sha256(headers);
    // The name is the content's, so a file that is there need not be written again.
    lists_are_new = !folder_.holds(EntryKind::headers, lists);
    Sections sections;
    sections.add("headers", headers);
    const int code = lists_are_new ? folder_.publish(EntryKind::headers, lists, sections) : 0;
    if (code != 0) return code;
  }
  Manifest manifest = read_manifest(request).value_or(Manifest());
  if (!manifest.add(key, lists, dependencies)) return 0;
  const int code = folder_.publish(EntryKind::manifest, request, manifest.encode());
  if (code != 0 && lists_are_new) folder_.remove(EntryKind::headers, lists);
  return code;
}

void CacheStore::drop(const Digest& key) {
  try {
    folder_.remove(EntryKind::code, key);
  } catch (const std::exception&) {  // no memory for the name
  }
  count(Counter::corrupt);
}

void CacheStore::count(Counter counter, std::uint64_t amount) {
  statistics_.add(counter, amount);
  statistics_.flush();
}

CacheStore::ReadResult CacheStore::counted(ReadResult result) {
  if (result == ReadResult::damaged) statistics_.add(Counter::corrupt, 1);
  return result;
}

}  // namespace kiln
