// What a person asks of a cache folder, and the one object for it.
#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"
#include "cache/store.hpp"

#include <kiln/error.hpp>

#include <cerrno>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kiln {

namespace {

// The stores are never destroyed either: used by objects of static lifetime.
struct Registry {
  ForkSafeMutex mutex;
  std::unordered_map<std::string, CacheStore*> stores;  // by each spelling that was asked for
  std::map<std::pair<std::string, std::vector<std::uint32_t>>, CacheStore*> read_only;
};

std::string normal_form(const std::string& directory) {
  const bool plain = directory.substr(0, 1) == "/" && directory.back() != '/' &&
                     directory.find("/.") == std::string::npos && directory.find("//") == std::string::npos;
  if (plain) return directory;
  std::error_code failed;
  const std::filesystem::path absolute = std::filesystem::absolute(directory, failed);
  std::string text = (failed ? std::filesystem::path(directory) : absolute).lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

}  // namespace

CacheStore& CacheStore::at(const std::string& directory) {
  auto& known = fork_safe_instance<Registry>();
  const bool stable = directory.substr(0, 1) == "/";  // what a relative one means changes with the working folder
  if (stable) {
    std::lock_guard<ForkSafeMutex> lock(known.mutex);
    const auto found = known.stores.find(directory);
    if (found != known.stores.end()) return *found->second;
  }
  const std::string root = normal_form(directory);
  // Made outside the lock, as ForkSafeMutex asks; of two threads that do so one throws its own away.
  auto made = std::make_unique<CacheStore>(FileSystem::real(), root);
  std::lock_guard<ForkSafeMutex> lock(known.mutex);
  const auto [place, added] = known.stores.emplace(root, made.get());
  if (added) (void)made.release();
  CacheStore& store = *place->second;
  if (stable) known.stores.emplace(directory, &store);
  return store;
}

void CacheStore::fail(const std::string& what, const std::string& path, int code) {
  throw Error("cannot " + what + " " + path + ": " + std::generic_category().message(-code) +
              ". Check the permissions, or set KILN_CACHE_DIR to another folder");
}

void CacheStore::require_usable() const {
  if (folder_.state() != CacheFolder::State::refused) return;
  throw Error("the cache folder " + directory() + " is not used: " + folder_.objection() +
              ". Set KILN_CACHE_DIR to another folder");
}

CacheStore& CacheStore::read_only_at(const std::string& directory, const Trust& trust) {
  auto& known = fork_safe_instance<Registry>();
  const std::string root = normal_form(directory);  // a relative one means another after a change of working folder
  const std::pair place(root, trust.owners);
  {
    std::lock_guard<ForkSafeMutex> lock(known.mutex);
    const auto found = known.read_only.find(place);
    if (found != known.read_only.end()) return *found->second;
  }
  auto made = std::make_unique<CacheStore>(FileSystem::real(), root, Access::read_only, trust);
  std::lock_guard<ForkSafeMutex> lock(known.mutex);
  const auto [at, added] = known.read_only.emplace(place, made.get());
  if (added) (void)made.release();
  return *at->second;
}

CacheStats CacheStore::stats() {
  require_usable();
  if (folder_.writable()) statistics_.flush();
  const Statistics::Counts counts = statistics_.totals();
  const auto value = [&counts](Counter counter) { return counts[static_cast<std::size_t>(counter)]; };
  CacheStats stats;
  stats.hits = value(Counter::hits);
  stats.misses = value(Counter::misses);
  stats.compiles = value(Counter::compiles);
  stats.stores = value(Counter::stores);
  stats.store_failures = value(Counter::store_failures);
  stats.corrupt = value(Counter::corrupt);
  stats.waits = value(Counter::waits);
  stats.evictions = value(Counter::evictions);
  stats.refused = value(Counter::refused);
  stats.refused_time = value(Counter::refused_time);
  stats.refused_option = value(Counter::refused_option);
  stats.refused_unknown_headers = value(Counter::refused_unknown_headers);
  stats.refused_young_header = value(Counter::refused_young_header);
  stats.refused_untrusted = value(Counter::refused_untrusted);
  stats.refused_no_worker = value(Counter::refused_no_worker);
  const int code = folder_.for_each([&](EntryKind kind, const std::string& path) {
    FileStatus status;
    if (folder_.file_status(path, status) != 0) return;  // removed since it was listed, or not ours
    if (kind == EntryKind::code) ++stats.entries;
    stats.bytes += status.size;
  });
  if (code != 0) fail("read the cache folder", directory(), code);
  return stats;
}

std::uint64_t CacheStore::clear() {
  require_usable();
  std::uint64_t removed = 0;
  int failure = 0;
  std::string failed_path;
  const int code = folder_.for_each([&](EntryKind kind, const std::string& path) {
    FileStatus status;
    const int looked = folder_.file_status(path, status);
    const int result = looked == 0 ? folder_.discard(path) : looked;
    if (result == 0 && kind == EntryKind::code) ++removed;
    if (result == 0 || result == -ENOENT || failure != 0) return;
    failure = result;
    failed_path = path;
  });
  {
    const std::lock_guard<ForkSafeMutex> lock(maker_mutex_);
    last_maker_.clear();
  }
  if (failure != 0) fail("remove", failed_path, failure);
  if (code != 0) fail("read the cache folder", directory(), code);
  return removed;
}

}  // namespace kiln
