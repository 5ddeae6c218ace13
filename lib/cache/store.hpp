// One cache folder: its files, its two-step look-up and its counters.
#pragma once

#include "cache/dependencies.hpp"
#include "cache/entry.hpp"
#include "cache/statistics.hpp"

#include <kiln/cache.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace kiln {

/// Thread-safe. No member throws: a fault is a counted miss, and at most one warning a process.
class CacheStore {
 public:
  /// The store of that folder, one object a folder and process, never destroyed. The folder is made at the first store.
  static CacheStore& at(const std::filesystem::path& directory);
  /// For tests: a store of its own over another file system.
  CacheStore(FileSystem& files, std::string directory);

  struct Hit {
    Sections sections;
    Dependencies dependencies;  // in today's states
    Digest key;                 // the code entry's
  };
  /// The look-up. Where `has_dependencies` is false the source can include nothing, and `request` is the entry's own
  /// key. Otherwise the manifest of `request` lists the header states that earlier compiles met, newest first, each
  /// with its entry's key. Counts one hit or one miss, and damaged files, which are removed.
  std::optional<Hit> look_up(const Digest& request, bool has_dependencies, const Roots& roots);

  /// Publishes the entry, then the manifest that leads to it. Returns the entry's key. Counts a store or a store
  /// failure.
  Digest put(const Digest& request, bool has_dependencies, const Dependencies& dependencies, const Roots& roots,
             const Sections& sections);

  /// Removes a code entry that turned out to be bad (a cubin that the driver refused); counts it as corrupt.
  void drop(const Digest& key);

  /// Adds to the folder's counters.
  void count(Counter counter, std::uint64_t amount = 1);
  CacheStats stats() const;
  /// Removes every entry; the number removed. Throws Error where one cannot be removed.
  std::uint64_t clear();

  const std::string& directory() const noexcept { return directory_; }

 private:
  FileSystem& files_;
  std::string directory_;
};

}  // namespace kiln
