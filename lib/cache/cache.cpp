#include <kiln/cache.hpp>

#include "cache/location.hpp"
#include "cache/store.hpp"

#include <kiln/error.hpp>

#include <optional>
#include <system_error>

namespace kiln {

namespace {

std::filesystem::path default_location() {
  if (auto location = cache_location({})) return *std::move(location);
  throw Error(
      "no cache folder: KILN_CACHE_DIR, PYCUDA_CACHE_DIR, XDG_CACHE_HOME and HOME are all unset (or relative, for the "
      "last two). Set KILN_CACHE_DIR, or name a folder");
}

}  // namespace

Cache::Cache() : directory_(default_location()) {}

CacheStats Cache::stats() const { return CacheStore::at(directory_.string()).stats(); }

std::vector<CacheEntry> Cache::entries() const { return CacheStore::at(directory_.string()).entries(); }

CacheCheck Cache::verify() const { return CacheStore::at(directory_.string()).verify(); }

std::uint64_t Cache::clear() const { return CacheStore::at(directory_.string()).clear(); }

CachePruned Cache::prune() const { return CacheStore::at(directory_.string()).prune(std::nullopt); }

CachePruned Cache::prune(std::uint64_t max_bytes) const { return CacheStore::at(directory_.string()).prune(max_bytes); }

std::uint64_t Cache::export_to(const std::filesystem::path& file) const {
  std::error_code ignored;
  const std::filesystem::path target = std::filesystem::weakly_canonical(file, ignored);  // a link stays a link
  return CacheStore::at(directory_.string()).export_to(ignored ? file.string() : target.string());
}

std::uint64_t Cache::import_from(const std::filesystem::path& file) const {
  return CacheStore::at(directory_.string()).import_from(file.string());
}

}  // namespace kiln
