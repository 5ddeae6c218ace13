#include <kiln/cache.hpp>

#include "base/files.hpp"
#include "cache/bundle_transfer.hpp"
#include "cache/eviction.hpp"
#include "cache/listing.hpp"
#include "cache/location.hpp"
#include "cache/open_stores.hpp"

#include <kiln/error.hpp>

#include <optional>

namespace kiln {

namespace {

std::filesystem::path default_location() {
  if (auto location = cache_location({})) return *std::move(location);
  throw Error(
      "no cache folder: KILN_CACHE_DIR, PYCUDA_CACHE_DIR, XDG_CACHE_HOME and HOME are all unset (or relative, for the "
      "last two). Set KILN_CACHE_DIR, or name a folder");
}

CacheFolder& folder(const Cache& cache) { return open_store(cache.directory().string()).folder(); }

}  // namespace

Cache::Cache() : directory_(default_location()) {}

CacheStats Cache::stats() const { return folder_stats(folder(*this)); }

void Cache::reset_stats() const { reset_folder_stats(folder(*this)); }

std::vector<CacheEntry> Cache::entries() const { return list_entries(folder(*this)); }

CacheCheck Cache::verify() const { return verify_entries(folder(*this)); }

std::uint64_t Cache::clear() const { return clear_entries(folder(*this)); }

CachePruned Cache::prune() const { return prune_entries(folder(*this), std::nullopt); }

CachePruned Cache::prune(std::uint64_t max_bytes) const { return prune_entries(folder(*this), max_bytes); }

std::uint64_t Cache::export_to(const std::filesystem::path& file) const {
  return export_entries(folder(*this), written_file(file.string()));
}

std::uint64_t Cache::import_from(const std::filesystem::path& file) const {
  return import_entries(folder(*this), file.string());
}

}  // namespace kiln
