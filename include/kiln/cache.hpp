// Cache: the folder that compiled code is kept in, and its counters.
#pragma once

#include <kiln/export.hpp>

#include <cstdint>
#include <filesystem>

namespace kiln {

/// The counters of one cache folder, over all processes that used it, and what is in it now.
struct CacheStats {
  std::uint64_t hits = 0;                     ///< look-ups that the folder served
  std::uint64_t misses = 0;                   ///< look-ups that it could not serve
  std::uint64_t compiles = 0;                 ///< compiles that finished, stored or not
  std::uint64_t stores = 0;                   ///< entries published
  std::uint64_t store_failures = 0;           ///< entries that could not be published
  std::uint64_t corrupt = 0;                  ///< damaged or refused entries that were dropped
  std::uint64_t waits = 0;                    ///< look-ups that waited for another process's compile
  std::uint64_t evictions = 0;                ///< entries dropped to make room
  std::uint64_t refused = 0;                  ///< results not kept and entries not used, for one of these reasons:
  std::uint64_t refused_time = 0;             ///< __TIME__, __DATE__ or __TIMESTAMP__: each compile differs
  std::uint64_t refused_option = 0;           ///< an option that does more than make code
  std::uint64_t refused_unknown_headers = 0;  ///< what the compile read cannot be known
  std::uint64_t refused_young_header = 0;     ///< a header was changed just before or during the compile
  std::uint64_t refused_untrusted = 0;        ///< an entry of another owner, or that others can write
  std::uint64_t entries = 0;                  ///< code entries in the folder now
  std::uint64_t bytes = 0;                    ///< bytes of all files that the cache keeps there now
};

/// What Cache::prune did.
struct CachePruned {
  std::uint64_t entries = 0;      ///< code entries removed
  std::uint64_t freed_bytes = 0;  ///< of all files removed
  std::uint64_t bytes_left = 0;
};

/// Names a cache folder; owns nothing and opens nothing until asked. Every member may be called from any thread and
/// beside other processes. Counterpart: PyCUDA's cache_dir.
class KILN_EXPORT Cache {
 public:
  /// The folder that compiles use by default: KILN_CACHE_DIR, PYCUDA_CACHE_DIR, $XDG_CACHE_HOME/kiln,
  /// $HOME/.cache/kiln. Throws Error where none of them is set.
  Cache();
  explicit Cache(std::filesystem::path directory) : directory_(std::move(directory)) {}

  const std::filesystem::path& directory() const noexcept { return directory_; }
  /// Zeros where the folder does not exist. Throws Error where it cannot be read.
  CacheStats stats() const;
  /// Removes every entry, and nothing that is not the cache's own; counters go on. Returns the number of entries
  /// removed. Throws Error where one cannot be removed.
  std::uint64_t clear() const;

 private:
  std::filesystem::path directory_;
};

}  // namespace kiln
