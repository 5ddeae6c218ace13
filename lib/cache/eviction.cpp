#include "cache/eviction.hpp"

#include "base/file_lock.hpp"
#include "cache/kept_tree.hpp"
#include "cache/key_lock.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <string>
#include <tuple>
#include <vector>

namespace kiln {

namespace {

struct File {
  EntryKind kind;
  std::string path;
  FileStatus status;
};

/// Not all of them after an error, whose first -errno `code` receives.
std::vector<File> files_of(const CacheFolder& folder, int& code) {
  std::vector<File> files;
  code = folder.for_each([&](EntryKind kind, const std::string& path) {
    FileStatus status;
    if (folder.file_status(path, status) == 0) files.push_back({kind, path, status});
  });
  return files;
}

// So that the next stores do not each evict again.
std::uint64_t target_below(std::uint64_t limit) { return limit - limit / 8; }

std::uint64_t value(const Statistics::Counts& counts, Counter counter) {
  return counts[static_cast<std::size_t>(counter)];
}

bool may_exceed(std::uint64_t limit, const Statistics::Counts& counts) {
  const std::uint64_t estimate = value(counts, Counter::bytes);
  // Decrements that were counted, and increments that were lost, may give a negative number.
  const bool is_negative = estimate > UINT64_MAX / 2;
  return is_negative || value(counts, Counter::measured) == 0 || estimate > limit;
}

/// Nothing where another process has the lock. Throws Error where not all of the folder can be listed.
std::optional<Eviction> evict_locked(CacheFolder& folder, std::uint64_t limit, std::uint64_t target) {
  FileLock lock(folder.files());
  const int code = lock.open(folder.lock_path()) == 0 ? lock.try_lock(KeyLock::eviction_offset) : 0;
  if (code == -EAGAIN) return std::nullopt;
  Statistics& statistics = folder.statistics();
  // From before the listing: what others store meanwhile is counted on top of what is listed.
  const std::uint64_t estimate = value(statistics.totals(), Counter::bytes);
  const Eviction done = evict(folder, limit, target);
  const bool complete = done.code == 0;
  Statistics::Counts found = {};
  found[static_cast<std::size_t>(Counter::bytes)] = complete ? done.left - estimate : 0 - done.freed;
  found[static_cast<std::size_t>(Counter::measured)] = complete ? 1 : 0;
  found[static_cast<std::size_t>(Counter::evictions)] = done.entries;
  // While the lock is held, or not at all: a correction that waits for a later flush is made twice where another
  // process evicts before that, and the folder then counts as smaller than it is. Without it, the next store evicts
  // again.
  if (!statistics.add_now(found)) statistics.add(Counter::evictions, done.entries);
  statistics.flush();
  if (!complete) throw_cache_error("read the cache folder", folder.root(), done.code);
  return done;
}

}  // namespace

Eviction evict(const CacheFolder& folder, std::uint64_t limit, std::uint64_t target) {
  Eviction done;
  std::vector<File> files = files_of(folder, done.code);
  for (const File& file : files) done.left += file.status.size;
  if (done.left <= limit) return done;
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) {
    return std::tie(a.status.mtime_ns, a.path) < std::tie(b.status.mtime_ns, b.path);
  });
  for (const File& file : files) {
    if (done.left <= target) break;
    FileStatus now;
    const int found = folder.file_status(file.path, now);
    if (found == 0 && !same_file(now, file.status)) continue;
    const int removed = found == 0 ? folder.discard(file.path) : found;
    if (removed != 0 && removed != -ENOENT && removed != -ESTALE) continue;
    done.left -= file.status.size;
    if (removed != 0) continue;  // by another process
    done.freed += file.status.size;
    if (file.kind == EntryKind::code) ++done.entries;
  }
  return done;
}

void enforce_size_limit(CacheFolder& folder, bool measure) {
  constexpr int rounds = 3;
  if (folder.state() != CacheFolder::State::good) return;
  try {
    const std::optional<Statistics::Counts> counts = folder.statistics().flush();
    const std::uint64_t limit = folder.size_limit();
    if (limit == 0 || !counts) return;  // not counted yet: the next store does it
    if (!measure && !may_exceed(limit, *counts)) return;
    // Other processes that store meanwhile leave the eviction to this one, so it looks again.
    for (int round = 0; round < rounds; ++round)
      if (!evict_locked(folder, limit, target_below(limit)) || !may_exceed(limit, folder.statistics().totals())) return;
  } catch (const std::exception&) {  // no memory for the list of files, or a folder that cannot be listed
  }
}

CachePruned prune_entries(CacheFolder& folder, std::optional<std::uint64_t> max_bytes) {
  if (folder.state() == CacheFolder::State::absent) return {};
  folder.require_usable();
  std::uint64_t limit = max_bytes.value_or(folder.size_limit());
  if (!max_bytes && limit == 0) limit = UINT64_MAX;
  folder.sweep();
  remove_trees(folder, day_ns);
  if (const auto done = evict_locked(folder, limit, limit)) return {done->entries, done->freed, done->left};
  throw Error("another process is making room in the cache folder " + folder.root() + " at this moment: try again");
}

std::uint64_t clear_entries(CacheFolder& folder) {
  folder.require_usable();
  std::uint64_t removed = 0;
  int failure = 0;
  std::string failed_path;
  const int code = folder.for_each([&](EntryKind kind, const std::string& path) {
    FileStatus status;
    const int found = folder.file_status(path, status);
    const int result = found == 0 ? folder.discard(path) : found;
    if (result == 0 && kind == EntryKind::code) ++removed;
    if (result == 0 || result == -ENOENT || failure != 0) return;
    failure = result;
    failed_path = path;
  });
  const std::string tree = remove_trees(folder, 0);
  if (failure == 0 && !tree.empty()) throw_cache_error("remove", tree, -EACCES);
  if (failure != 0) throw_cache_error("remove", failed_path, failure);
  if (code != 0) throw_cache_error("read the cache folder", folder.root(), code);
  return removed;
}

bool remove_entry(CacheFolder& folder, const Digest& key) {
  const std::string path = folder.path(EntryKind::code, key);
  FileStatus status;
  int code = folder.file_status(path, status);
  if (code == 0) code = folder.discard(path);
  if (code == -ENOENT) return false;
  if (code != 0) throw_cache_error("remove", path, code);
  folder.count(Counter::bytes, 0 - status.size);
  folder.write_counts();
  return true;
}

}  // namespace kiln
