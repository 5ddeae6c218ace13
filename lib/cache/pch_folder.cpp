#include "cache/pch_folder.hpp"

#include "cache/eviction.hpp"
#include "cache/listing.hpp"
#include "cache/location.hpp"
#include "cache/open_stores.hpp"
#include "cache/pch_location.hpp"

#include <kiln/error.hpp>

#include <cstddef>
#include <optional>
#include <utility>

namespace kiln {

namespace {

/// Null where there is none to be used.
CacheFolder* pch_folder(const std::string& cache_folder) {
  const auto location = pch_location(FileSystem::real(), cache_folder);
  if (!location) return nullptr;
  CacheFolder& folder = open_store(*location).folder();
  folder.be_for_pch(pch_size_limit());
  return folder.state() == CacheFolder::State::good ? &folder : nullptr;
}

}  // namespace

void add_pch_stats(const std::string& cache_folder, CacheStats& stats) {
  CacheFolder* const folder = pch_folder(cache_folder);
  if (folder == nullptr) return;
  const Statistics::Counts counts = folder->statistics().totals();
  const std::pair<Counter, std::uint64_t CacheStats::*> members[] = {
      {Counter::pch_made, &CacheStats::pch_made},
      {Counter::pch_used, &CacheStats::pch_used},
      {Counter::pch_refused, &CacheStats::pch_refused},
      {Counter::pch_refused_text, &CacheStats::pch_refused_text},
      {Counter::pch_refused_options, &CacheStats::pch_refused_options},
      {Counter::pch_refused_nvrtc, &CacheStats::pch_refused_nvrtc},
      {Counter::pch_refused_address, &CacheStats::pch_refused_address},
      {Counter::pch_refused_changed, &CacheStats::pch_refused_changed},
      {Counter::pch_refused_damaged, &CacheStats::pch_refused_damaged},
      {Counter::pch_refused_small, &CacheStats::pch_refused_small},
  };
  for (const auto& [counter, member] : members) stats.*member = counts[static_cast<std::size_t>(counter)];
  folder->for_each([&](EntryKind kind, const std::string& path) {
    FileStatus status;
    if (folder->file_status(path, status) != 0) return;  // removed since it was listed, or not ours
    if (kind == EntryKind::pch) ++stats.pch_files;
    stats.pch_bytes += status.size;
  });
}

void reset_pch_stats(const std::string& cache_folder) {
  if (CacheFolder* const folder = pch_folder(cache_folder)) reset_folder_stats(*folder);
}

void verify_pch(const std::string& cache_folder, CacheCheck& check) {
  CacheFolder* const folder = pch_folder(cache_folder);
  if (folder == nullptr) return;
  const CacheCheck own = verify_entries(*folder);
  check.good += own.good;
  check.damaged.insert(check.damaged.end(), own.damaged.begin(), own.damaged.end());
  check.unreadable.insert(check.unreadable.end(), own.unreadable.begin(), own.unreadable.end());
  check.untrusted.insert(check.untrusted.end(), own.untrusted.begin(), own.untrusted.end());
}

void clear_pch(const std::string& cache_folder) {
  if (CacheFolder* const folder = pch_folder(cache_folder)) clear_entries(*folder);
}

void prune_pch(const std::string& cache_folder) {
  if (CacheFolder* const folder = pch_folder(cache_folder)) prune_entries(*folder, std::nullopt);
}

}  // namespace kiln
