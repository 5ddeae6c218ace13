// One cache folder: its files, its two-step look-up and its counters.
#pragma once

#include "cache/cache_folder.hpp"
#include "cache/dependencies.hpp"
#include "cache/entry.hpp"
#include "cache/manifest.hpp"
#include "cache/statistics.hpp"

#include <kiln/cache.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace kiln {

/// Thread-safe. No member but stats and clear throws: a fault is a counted miss, and at most one warning a process.
///
/// A hit where nothing moved costs these file operations (test_warm_look_up.cpp counts them):
///   manifest   open, status, read, close                                          (only where has_dependencies)
///   headers    one status for each file, folder and absent path                   (likewise)
///   entry      open, status, read, close
///   counters   open, try_lock, read_at, write, unlock, close
class CacheStore {
 public:
  /// The store of that folder, one object a folder and process, never destroyed. The folder is made at the first store.
  static CacheStore& at(const std::string& directory);
  /// For tests: a store of its own over another file system.
  CacheStore(FileSystem& files, std::string directory);

  struct Hit {
    Sections sections;
    Dependencies dependencies;  // in today's states; the folders' headers only if they were needed
    Digest key;                 // the code entry's
  };
  /// The look-up. Where `has_dependencies` is false the source can include nothing, and `request` is the entry's own
  /// key. Otherwise the manifest of `request` lists the header states that earlier compiles met, newest first, each
  /// with its entry's key. Counts one hit or one miss, and damaged files, which are removed.
  std::optional<Hit> look_up(const Digest& request, bool has_dependencies, const Roots& roots);

  /// Publishes the entry, then the manifest that leads to it. Returns the entry's key. Counts a store or a store
  /// failure; a failure leaves neither of the two behind.
  Digest put(const Digest& request, bool has_dependencies, const Dependencies& dependencies, const Roots& roots,
             const Sections& sections);

  /// Removes a code entry that turned out to be bad (a cubin that the driver refused); counts it as corrupt.
  void drop(const Digest& key);

  /// Adds to the folder's counters.
  void count(Counter counter, std::uint64_t amount = 1);
  /// Throws Error where the folder is there and cannot be read.
  CacheStats stats();
  /// Removes every entry; the number of code entries removed. Throws Error where one cannot be removed, after it has
  /// removed the others.
  std::uint64_t clear();

  const std::string& directory() const noexcept { return folder_.root(); }

 private:
  using ReadResult = CacheFolder::ReadResult;
  std::optional<Manifest> read_manifest(const Digest& request);
  std::optional<Hit> find_variant(const Digest& request, const Roots& roots);
  bool read_entry(const Digest& key, Sections& sections);
  bool load_headers(const Digest& lists, Dependencies& dependencies);
  int store(const Digest& request, bool has_dependencies, const Digest& key, const Dependencies& dependencies,
            const Sections& sections);
  int store_variant(const Digest& request, const Digest& key, const Dependencies& dependencies);
  ReadResult counted(ReadResult result);

  FileSystem& files_;
  CacheFolder folder_;
  Statistics statistics_;
};

}  // namespace kiln
