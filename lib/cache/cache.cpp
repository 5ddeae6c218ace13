#include <kiln/cache.hpp>

#include "base/files.hpp"
#include "cache/bundle_transfer.hpp"
#include "cache/listing.hpp"
#include "cache/location.hpp"
#include "cache/open_stores.hpp"
#include "cache/pch_folder.hpp"
#include "cache/sign_entries.hpp"
#include "cache/signing/public_keys.hpp"
#include "cache/signing/signing_key.hpp"

#include <kiln/error.hpp>

#include <optional>
#include <vector>

namespace kiln {

namespace {

std::filesystem::path default_location() {
  if (auto location = cache_location({})) return *std::move(location);
  throw Error(
      "no cache folder: KILN_CACHE_DIR, PYCUDA_CACHE_DIR, XDG_CACHE_HOME and HOME are all unset (or relative, for the "
      "last two). Set KILN_CACHE_DIR, or name a folder");
}

CacheFolder& folder(const Cache& cache) { return open_store(cache.directory().string()).folder(); }
const std::string& root(const Cache& cache) { return folder(cache).root(); }

}  // namespace

Cache::Cache() : directory_(default_location()) {}

CacheStats Cache::stats() const {
  CacheStats stats = folder_stats(folder(*this));
  add_pch_stats(root(*this), stats);
  return stats;
}

void Cache::reset_stats() const {
  reset_folder_stats(folder(*this));
  reset_pch_stats(root(*this));
}

std::vector<CacheEntry> Cache::entries() const { return list_entries(folder(*this)); }

CacheCheck Cache::verify() const {
  CacheCheck check = verify_entries(folder(*this));
  verify_pch(root(*this), check);
  return check;
}

std::uint64_t Cache::export_to(const std::filesystem::path& file, const ExportOptions& options) const {
  const std::string path = written_file(file.string());
  if (!options.sign) return export_entries(folder(*this), path, nullptr);
  const SigningKey key = signing_key_of(options.signing_key);
  return export_entries(folder(*this), path, &key);
}

std::uint64_t Cache::import_from(const std::filesystem::path& file, const ImportOptions& options) const {
  std::vector<std::string> paths;
  if (!options.allow_unsigned) {
    paths = public_key_paths();
    for (const auto& path : options.public_keys) paths.push_back(path.string());
  }
  const PublicKeys keys(FileSystem::real(), paths);
  return import_entries(folder(*this), file.string(), keys.empty() ? nullptr : &keys);
}

std::uint64_t Cache::sign(const std::filesystem::path& signing_key) const {
  const SigningKey key = signing_key_of(signing_key);
  return sign_entries(folder(*this), key);
}

}  // namespace kiln
