// One cache folder: its files, its two-step look-up, its turns and its counters.
#pragma once

#include "base/stop.hpp"
#include "cache/cache_folder.hpp"
#include "cache/dependencies.hpp"
#include "cache/entry.hpp"
#include "cache/key.hpp"
#include "cache/manifest.hpp"
#include "cache/statistics.hpp"
#include "cache/turn.hpp"

#include <kiln/cache.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Thread-safe. No member that looks up or stores throws: a fault is a counted miss, and at most one warning a process.
///
/// A hit where nothing moved costs these file operations (test_warm_look_up.cpp counts them):
///   folder     two status calls                                                   (the first look-up of a process)
///   manifest   open, status, read, close                                          (only where has_dependencies)
///   headers    one status for each file, folder, absent path and obstacle         (likewise)
///   entry      open, status, read, close
///   counters   open, try_lock, read_at, write, unlock, close
/// and once an hour a stamp for each of the files.
class CacheStore {
 public:
  /// The store of that folder, one object a folder and process, never destroyed. The folder is made at the first store.
  static CacheStore& at(const std::string& directory);
  /// The same for a folder that is only read: nothing in it is changed, locked, stamped or counted.
  static CacheStore& read_only_at(const std::string& directory, const Trust& trust);
  /// For tests: a store of its own over another file system.
  CacheStore(FileSystem& files, std::string directory, Access access = Access::read_write, Trust trust = {});

  struct Hit {
    Sections sections;
    Dependencies dependencies;  // in today's states; the folders' headers only if they were needed
    Digest key;                 // the code entry's
    Digest header_lists;        // of the variant
    bool refreshed = false;     // states differed from the recorded ones, contents did not
  };
  /// The look-up. Where `has_dependencies` is false the source can include nothing, and the entry has the request's
  /// name. Otherwise the manifest of that name lists the header states that earlier compiles met, newest first, each
  /// with its entry's key. Counts damaged files, which are removed. `changed` receives what differs from the newest of
  /// the earlier compiles, where there is one.
  std::optional<Hit> find(const CacheKey& request, bool has_dependencies, const Roots& roots,
                          std::string* changed = nullptr);
  /// Which entry that look-up would read, which costs a status call in place of its reading. Counts no hit. Whether the
  /// entry is whole is not looked at.
  std::optional<Digest> find_key(const CacheKey& request, bool has_dependencies, const Roots& roots);
  /// The look-up, counted as one hit or one miss.
  std::optional<Hit> look_up(const CacheKey& request, bool has_dependencies, const Roots& roots);

  /// After a look-up that found nothing: waits until this caller is the one to compile that request, in all processes,
  /// and looks again; or until another has compiled it, or `stop` is due. Without a hit the caller compiles, puts, and
  /// releases the turn.
  std::optional<Hit> take_turn(const CacheKey& request, bool has_dependencies, const Roots& roots, Turn& turn,
                               const Stop& stop = {});
  /// Instead of a put, where nothing came of the compile that can be kept: those who waited for it then compile each by
  /// itself, all at once, and not one after the other. Releases the turn.
  void give_up(const CacheKey& request, Turn& turn);
  /// How long take_turn waits for another's compile before the caller makes its own.
  static constexpr std::chrono::milliseconds default_patience = std::chrono::minutes(5);
  void set_patience(std::chrono::milliseconds patience) noexcept { patience_ = patience; }

  /// Publishes the entry, then the manifest that leads to it, and makes room where the folder has grown beyond its
  /// limit. Returns the entry's key; `stored` tells whether it is there. Counts a store or a store failure; a failure
  /// leaves neither of the two behind.
  Digest put(const CacheKey& request, bool has_dependencies, const Dependencies& dependencies, const Roots& roots,
             const Sections& sections, bool* stored = nullptr);

  /// Keeps what `tier` served in this folder too: done where states differed, so that contents are compared once.
  void adopt(CacheStore& tier, const CacheKey& request, const Roots& roots, Hit& hit);

  /// Notes that `maker` made entries of this folder, and tells who did, newest first: requests name their maker, and
  /// one who has none can ask for theirs.
  void note_maker(const std::string& maker);
  std::vector<std::string> makers();

  /// Small facts beside the code, such as which compiler a source needed.
  std::optional<Sections> find_note(const CacheKey& key);
  void put_note(const CacheKey& key, const Sections& sections);

  /// Keeps the bare text in a file, for debuggers; its path, the same for the same text. Empty where it cannot be kept.
  std::string keep_source(std::string_view text);

  /// Removes a code entry that turned out to be bad (a cubin that the driver refused); counts it as corrupt.
  void drop(const Digest& key);

  /// Makes the folder now, where it is missing and may be changed.
  void make_folder() { folder_.prepare(); }
  /// Adds to the folder's counters; where it is missing, later. note() leaves the writing to the next put, count or
  /// write_counts.
  void note(Counter counter, std::uint64_t amount = 1);
  void write_counts();
  void count(Counter counter, std::uint64_t amount = 1);
  /// Throws Error where the folder is there and cannot be read.
  CacheStats stats();
  /// Removes every entry; the number of code entries removed. Throws Error where one cannot be removed, after it has
  /// removed the others.
  std::uint64_t clear();

  /// Removes what was used longest ago until at most `max_bytes` are left; without a number the folder's own limit.
  /// Sweeps temporary files too. Throws Error where the folder cannot be read.
  CachePruned prune(std::optional<std::uint64_t> max_bytes);

  /// See Cache, which has the same members.
  std::vector<CacheEntry> entries();
  CacheCheck verify();
  std::uint64_t export_to(const std::string& path);
  std::uint64_t import_from(const std::string& path);

  /// Notes what a source of that name was compiled with (history.hpp), for explain_miss.
  void remember_request(const std::string& name, const std::vector<KeyField>& request);
  /// What differs from the nearest request that was noted, in sentences; nothing where none was.
  std::vector<std::string> explain_miss(const std::string& name, const std::vector<KeyField>& request);

  const std::string& directory() const noexcept { return folder_.root(); }

 private:
  using ReadResult = CacheFolder::ReadResult;
  std::optional<Manifest> read_manifest(const CacheKey& request, FileStatus& status);
  std::optional<Hit> locate(const CacheKey& request, bool has_dependencies, const Roots& roots, std::string* changed);
  std::optional<Hit> find_variant(const CacheKey& request, const Roots& roots, std::string* changed);
  bool is_of_this_minute(const FileStatus& status);
  bool keep_states(const CacheKey& request, const Hit& hit);
  bool keep_confirmed(const CacheKey& request, Manifest& manifest, std::size_t variant,
                      const Dependencies& dependencies, const FileStatus& status);
  bool read_entry(const CacheKey& request, bool has_dependencies, Hit& hit);
  bool load_headers(const Digest& lists, Dependencies& dependencies);
  void stamp_manifest(const CacheKey& request, const Digest& lists, const FileStatus& status);
  int store(const CacheKey& request, bool has_dependencies, const Digest& key, const Dependencies& dependencies,
            const Sections& sections, std::uint64_t& bytes);
  int store_variant(const CacheKey& request, const Digest& key, const Dependencies& dependencies, std::uint64_t& bytes);
  /// Throws Error: "cannot <what> <path>", why, and the way out.
  [[noreturn]] static void fail(const std::string& what, const std::string& path, int code);
  void require_usable() const;
  void warn_unwritable(int code) const noexcept;
  bool moved(EntryKind kind, const Digest& key, FileStatus& last);
  void make_room(const std::optional<Statistics::Counts>& counts, bool measure);
  std::optional<CachePruned> evict_alone(std::uint64_t limit, std::uint64_t target);
  ReadResult counted(ReadResult result);
  bool import_entry(EntryKind kind, const Digest& key, const Sections& sections);
  void import_manifest(const Sections& sections);
  void import_makers(const Sections& sections);
  template <class Key>
  void import_file(EntryKind kind, const Key& key, const Sections& sections);
  bool is_there(EntryKind kind, const Digest& key);

  FileSystem& files_;
  CacheFolder folder_;
  Statistics statistics_;
  std::atomic<bool> has_no_locks_{false};
  std::atomic<std::chrono::milliseconds> patience_{default_patience};
  ForkSafeMutex maker_mutex_;
  std::string last_maker_;  // noted by this process, and when
  std::int64_t maker_noted_ns_ = 0;
  ForkSafeMutex dropped_mutex_;
  std::set<Digest> dropped_;  // bad entries that cannot be removed from a folder that is only read
};

}  // namespace kiln
