#include "cache/makers.hpp"

#include <algorithm>
#include <exception>

namespace kiln {

namespace {

constexpr std::size_t max_makers = 16;

CacheKey makers_key() { return CacheKey("makers"); }

std::vector<std::string> read_makers(CacheFolder& folder, FileStatus* status = nullptr) {
  std::vector<std::string> makers;
  Sections sections;
  if (folder.read(EntryKind::makers, makers_key(), sections, status) != CacheFolder::ReadResult::good) return makers;
  for (const auto& [label, maker] : sections.all())
    if (label == "maker") makers.emplace_back(maker);
  return makers;
}

}  // namespace

void add_maker(CacheFolder& folder, const std::string& maker, Sync sync) try {
  if (!folder.is_writable() || folder.state() != CacheFolder::State::good) return;
  FileStatus status;
  std::vector<std::string> all = read_makers(folder, &status);
  if (!all.empty() && all.front() == maker && !folder.is_stale(status)) return;
  std::erase(all, maker);
  all.insert(all.begin(), maker);
  if (all.size() > max_makers) all.resize(max_makers);
  Sections sections;
  for (const std::string& one : all) sections.add("maker", one);
  folder.publish(EntryKind::makers, makers_key(), sections, sync);
} catch (const std::exception&) {  // no memory
}

std::vector<std::string> makers_in(CacheFolder& folder) try {
  if (folder.state() != CacheFolder::State::good) return {};
  return read_makers(folder);
} catch (const std::exception&) {  // no memory
  return {};
}

}  // namespace kiln
