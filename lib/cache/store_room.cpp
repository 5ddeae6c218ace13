// The folder's limit.
#include "cache/eviction.hpp"
#include "cache/location.hpp"
#include "cache/store.hpp"

#include <kiln/error.hpp>

#include <cerrno>
#include <exception>

namespace kiln {

namespace {

// So that the next stores do not each evict again.
std::uint64_t target_below(std::uint64_t limit) { return limit - limit / 8; }

std::uint64_t value(const Statistics::Counts& counts, Counter counter) {
  return counts[static_cast<std::size_t>(counter)];
}

bool may_exceed(std::uint64_t limit, const Statistics::Counts& counts) {
  const std::uint64_t estimate = value(counts, Counter::bytes);
  // Decrements that were counted and increments that were lost may leave less than nothing.
  const bool below = estimate > UINT64_MAX / 2;
  return below || value(counts, Counter::measured) == 0 || estimate > limit;
}

}  // namespace

void CacheStore::make_room(const std::optional<Statistics::Counts>& counts, bool measure) {
  constexpr int rounds = 3;
  try {
    const std::uint64_t limit = cache_size_limit();
    if (limit == 0 || !counts) return;  // uncounted now: the next store does it
    if (!measure && !may_exceed(limit, *counts)) return;
    // Those who store while this one is at it leave it to this one: so it looks again.
    for (int round = 0; round < rounds; ++round)
      if (!evict_alone(limit, target_below(limit)) || !may_exceed(limit, statistics_.totals())) return;
  } catch (const std::exception&) {  // no memory for the list of files, or none to be had
  }
}

// Nothing where another process is at it. Throws Error where not all of the folder can be listed.
std::optional<CachePruned> CacheStore::evict_alone(std::uint64_t limit, std::uint64_t target) {
  FileLock lock(files_);
  const int code = lock.open(folder_.lock_path()) == 0 ? lock.try_lock(Turn::eviction_offset) : 0;
  if (code == -EAGAIN) return std::nullopt;
  // Of before: what others store meanwhile is counted beside what this one lists.
  const std::uint64_t estimate = value(statistics_.totals(), Counter::bytes);
  const Eviction done = evict(folder_, limit, target);
  const bool complete = done.code == 0;
  statistics_.add(Counter::bytes, complete ? done.left - estimate : 0 - done.freed);
  if (complete) statistics_.add(Counter::measured, 1);
  statistics_.add(Counter::evictions, done.entries);
  statistics_.flush();
  if (!complete) fail("read the cache folder", directory(), done.code);
  return CachePruned{done.entries, done.freed, done.left};
}

CachePruned CacheStore::prune(std::optional<std::uint64_t> max_bytes) {
  if (folder_.state() == CacheFolder::State::absent) return {};
  require_usable();
  std::uint64_t limit = max_bytes.value_or(cache_size_limit());
  if (!max_bytes && limit == 0) limit = UINT64_MAX;
  folder_.sweep();
  if (const auto pruned = evict_alone(limit, limit)) return *pruned;
  throw Error("another process is making room in the cache folder " + directory() + " at this moment: try again");
}

}  // namespace kiln
