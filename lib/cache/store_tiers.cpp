// What a cache that is only read gives to one that is the user's own, and whose entries a folder holds.
#include "base/log.hpp"
#include "cache/store.hpp"

#include <algorithm>
#include <exception>
#include <mutex>

namespace kiln {

namespace {

constexpr std::size_t max_makers = 16;

CacheKey makers_key() { return CacheKey("makers"); }

std::vector<std::string> makers_of(const Sections& sections) {
  std::vector<std::string> makers;
  for (const auto& [label, maker] : sections.all())
    if (label == "maker") makers.emplace_back(maker);
  return makers;
}

}  // namespace

void CacheStore::adopt(CacheStore& tier, const CacheKey& request, const Roots& roots, Hit& hit) {
  if (!folder_.writable() || !roots.complete) return;
  try {
    if (!hit.dependencies.headers_known && !tier.load_headers(hit.header_lists, hit.dependencies)) return;
    put(request, true, hit.dependencies, roots, hit.sections);
  } catch (const std::exception&) {  // no memory
  }
}

void CacheStore::note_maker(const std::string& maker) {
  if (!folder_.writable() || folder_.state() != CacheFolder::State::good) return;
  try {
    {
      const std::lock_guard<ForkSafeMutex> lock(maker_mutex_);
      const std::int64_t now = files_.now_ns();
      // The list is stamped for eviction, or written anew, as often.
      if (last_maker_ == maker && now - maker_noted_ns_ < hour_ns) return;
      last_maker_ = maker;
      maker_noted_ns_ = now;
    }
    Sections before;
    FileStatus status;
    const bool known = folder_.read(EntryKind::makers, makers_key(), before, status) == ReadResult::good;
    std::vector<std::string> all = known ? makers_of(before) : std::vector<std::string>();
    if (!all.empty() && all.front() == maker && !folder_.is_stale(status)) return;
    all.erase(std::remove(all.begin(), all.end(), maker), all.end());
    all.insert(all.begin(), maker);
    if (all.size() > max_makers) all.resize(max_makers);
    Sections sections;
    for (const std::string& one : all) sections.add("maker", one);
    folder_.publish(EntryKind::makers, makers_key(), sections);
  } catch (const std::exception&) {  // no memory
  }
}

std::vector<std::string> CacheStore::makers() {
  if (folder_.state() != CacheFolder::State::good) return {};
  try {
    Sections sections;
    if (counted(folder_.read(EntryKind::makers, makers_key(), sections)) == ReadResult::good)
      return makers_of(sections);
  } catch (const std::exception&) {  // no memory
  }
  return {};
}

}  // namespace kiln
