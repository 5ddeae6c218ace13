// The entries of a cache folder: look-up and store.
#pragma once

#include "base/fork_safe_mutex.hpp"
#include "cache/cache_folder.hpp"
#include "cache/dependencies.hpp"
#include "cache/manifest.hpp"

#include <optional>
#include <set>
#include <string>

namespace kiln {

/// Thread-safe. No member throws: a fault is a counted miss, and at most one warning per process.
///
/// A hit where nothing changed costs these file operations (test_warm_look_up.cpp counts them):
///   folder     two status calls                                                   (the first look-up of a process)
///   manifest   open, status, read, close                                          (only where has_dependencies)
///   headers    one status for each file, folder, absent path and non-regular file (likewise)
///   entry      open, status, read, close
///   counters   open, try_lock, read_at, write, unlock, close                      (CacheFolder::write_counts)
/// and once an hour each of the files is touched.
class CacheStore {
 public:
  /// open_stores.hpp has the one object that a process has for a folder. Another object is for tests.
  CacheStore(FileSystem& files, std::string directory, Access access = Access::read_write, Trust trust = {});

  CacheFolder& folder() noexcept { return folder_; }

  struct Hit {
    Sections sections;
    Dependencies dependencies;  // with present fingerprints; the folders' headers only if they were needed
    Digest key;                 // the code entry's
    Digest header_lists;        // of the variant
    bool refreshed = false;     // states differed from the recorded ones, contents did not
  };
  /// The look-up. Where `has_dependencies` is false the source can include nothing, and the entry is named by the
  /// request. Otherwise the manifest of that name lists the header fingerprints that earlier compiles met, newest
  /// first, each with its entry's key. Counts damaged files, which are removed; counts no hit and no miss. `changed`
  /// receives what differs from the newest of the earlier compiles, where there is one.
  std::optional<Hit> find(const CacheKey& request, bool has_dependencies, const Roots& roots,
                          std::string* changed = nullptr);
  /// The same with complete dependencies: the folders' headers, too. For code that goes to another machine.
  std::optional<Hit> find_whole(const CacheKey& request, bool has_dependencies, const Roots& roots);
  /// Which entry find() would read, which costs a status call instead of its reading. Does not check that the entry is
  /// undamaged.
  std::optional<Digest> find_key(const CacheKey& request, bool has_dependencies, const Roots& roots);

  /// Publishes the entry, then the manifest that leads to it, and evicts where the folder has grown beyond its limit.
  /// Returns the entry's key; `stored` receives whether it is there. Counts a store or a store failure; a failure
  /// leaves neither of the two behind. With Sync::on stored entries survive a loss of power.
  Digest put(const CacheKey& request, bool has_dependencies, const Dependencies& dependencies, const Sections& sections,
             bool* stored = nullptr, Sync sync = Sync::off);

  /// Stores a hit of another folder in this one too. Worth it where fingerprints differed: contents are then compared
  /// once.
  void copy_from(CacheStore& other, const CacheKey& request, const Roots& roots, Hit& hit);

  /// Removes a code entry that turned out to be bad (a cubin that the driver rejected); counts it as corrupt.
  void discard(const Digest& key);

 private:
  std::optional<Manifest> read_manifest(const CacheKey& request, FileStatus& status);
  std::optional<Hit> locate(const CacheKey& request, bool has_dependencies, const Roots& roots, std::string* changed);
  std::optional<Hit> find_variant(const CacheKey& request, const Roots& roots, std::string* changed);
  bool is_of_this_minute(const FileStatus& status) const;
  bool publish_states(const CacheKey& request, const Hit& hit);
  bool publish_confirmed(const CacheKey& request, Manifest& manifest, std::size_t variant,
                         const Dependencies& dependencies, const FileStatus& status);
  bool read_entry(const CacheKey& request, bool has_dependencies, Hit& hit);
  bool load_headers(const Digest& lists, Dependencies& dependencies);
  void stamp_manifest(const CacheKey& request, const Digest& lists, const FileStatus& status);
  int publish(const CacheKey& request, bool has_dependencies, const Digest& key, const Dependencies& dependencies,
              const Sections& sections, Sync sync);
  int publish_variant(const CacheKey& request, const Digest& key, const Dependencies& dependencies, Sync sync);
  void warn_unwritable(int code) const noexcept;

  CacheFolder folder_;
  ForkSafeMutex discarded_mutex_;
  std::set<Digest> discarded_;  // bad entries that cannot be removed from a folder that is only read
};

}  // namespace kiln
