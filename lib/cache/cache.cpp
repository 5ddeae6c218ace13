#include <kiln/cache.hpp>

#include "cache/location.hpp"
#include "cache/store.hpp"

#include <kiln/error.hpp>

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

std::uint64_t Cache::clear() const { return CacheStore::at(directory_.string()).clear(); }

}  // namespace kiln
