// Cache: the folder that compiled code is kept in: what is in it, its counters, and what a person does with it.
#pragma once

#include <kiln/code_object.hpp>
#include <kiln/compile_options.hpp>
#include <kiln/export.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

/// The counters of one remote cache, over all processes that asked it with this cache folder.
struct RemoteCacheStats {
  std::string address;             ///< without user and password, such as "redis://host:6379"
  std::uint64_t hits = 0;          ///< values that it had
  std::uint64_t misses = 0;        ///< values that it did not have
  std::uint64_t puts = 0;          ///< compiles that were put there
  std::uint64_t put_failures = 0;  ///< compiles that could not be
  std::uint64_t refused = 0;       ///< values without a valid signature by a key that is trusted
  std::uint64_t faults = 0;        ///< calls that failed: it is down, slow, or answers what cannot be
  std::uint64_t waits = 0;         ///< look-ups that found another machine compiling
};

/// The counters of one cache folder, over all processes that used it, and what is in it now.
struct CacheStats {
  std::uint64_t hits = 0;                     ///< look-ups that the folder, or a read-only one beside it, served
  std::uint64_t memory_hits = 0;              ///< look-ups that a process's own memory served before any folder
  std::uint64_t misses = 0;                   ///< look-ups that none of them could serve
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
  std::uint64_t refused_young_header = 0;     ///< a header changed during the compile
  std::uint64_t refused_untrusted = 0;        ///< an entry of another owner, or that others can write
  std::uint64_t refused_no_worker = 0;        ///< 0; once: compiled in this process, as no other could be started
  std::uint64_t entries = 0;                  ///< code entries in the folder now
  std::uint64_t bytes = 0;                    ///< bytes of all files that the cache keeps there now, but for headers
  // Of precompiled headers (docs/compile-time.md), which have a folder of their own:
  std::uint64_t pch_made = 0;             ///< files that were made
  std::uint64_t pch_used = 0;             ///< compiles that used one
  std::uint64_t pch_refused = 0;          ///< compiles that could not use or have one, for one of these reasons:
  std::uint64_t pch_refused_text = 0;     ///< what the source's leading lines say, or NVRTC of their headers
  std::uint64_t pch_refused_options = 0;  ///< NVRTC did not take it
  std::uint64_t pch_refused_nvrtc = 0;    ///< an NVRTC before 12.8
  std::uint64_t pch_refused_address = 0;  ///< the process could not map it where it must lie
  std::uint64_t pch_refused_changed = 0;  ///< a header, or what else its making asked for, is another by now
  std::uint64_t pch_refused_damaged = 0;  ///< a damaged file, which was dropped
  std::uint64_t pch_refused_small = 0;    ///< the headers are compiled as fast without
  std::uint64_t pch_files = 0;            ///< files in the folder now
  std::uint64_t pch_bytes = 0;            ///< bytes of all that is kept there now
  // Of the headers that NVRTC brings (docs/compilers.md):
  std::uint64_t headers_unpacked = 0;  ///< how often headers that NVRTC brings were unpacked into the folder
  std::uint64_t header_folders = 0;    ///< of these, folders that are there now
  std::uint64_t header_bytes = 0;      ///< and the bytes of their files
  // Of caches on other machines (docs/remote-cache.md):
  std::vector<RemoteCacheStats> remotes = {};  ///< each that was used with this folder
};

/// What Cache::prune did.
struct CachePruned {
  std::uint64_t entries = 0;      ///< code entries removed
  std::uint64_t freed_bytes = 0;  ///< of all files removed
  std::uint64_t bytes_left = 0;   ///< of all files of the cache
};

/// One code entry, as described by the front of its file.
struct CacheEntry {
  std::string key;                                  ///< 64 hexadecimal digits, the name of the file
  std::string name;                                 ///< of the source without its folder, or of the link; may be empty
  std::string target;                               ///< "cubin", "ptx", "fatbin", "ltoir" or "optixir"
  std::string arch;                                 ///< such as "sm_90"
  std::uint64_t bytes = 0;                          ///< of the file
  std::chrono::system_clock::time_point last_used;  ///< to the hour; never before it was made
  bool damaged = false;                             ///< name, target and arch are not known then
};

/// A file of a cache that is not used, though it is valid, and why.
struct UntrustedFile {
  std::filesystem::path path;  ///< of the file
  std::string fault;           ///< to stand after the path: its owner or its mode, and the way out
};

/// What Cache::verify found.
struct CacheCheck {
  std::uint64_t good = 0;                         ///< valid files, of every kind that the cache has
  std::vector<std::filesystem::path> damaged;     ///< what was removed, as far as it could be
  std::vector<std::filesystem::path> unreadable;  ///< what could not be read now, and was left alone
  /// Files of another owner, or that others can write: no compile uses them. They were left alone. See docs/cache.md.
  std::vector<UntrustedFile> untrusted = {};
};

/// The present state of one remote cache, for Cache::remotes.
struct RemoteCacheReport {
  std::string address;  ///< without user and password, such as "redis://host:6379"
  std::string fault;    ///< why it cannot be used; empty where it responds
  // Where there is a fault, what follows is not known.
  std::string server = {};                            ///< such as "Redis 7.0.15"
  std::chrono::microseconds latency{0};               ///< of one request, the median of five
  std::string why_no_put = {};                        ///< why nothing can be put there; empty where it can
  std::optional<std::uint64_t> values = {};           ///< that Kiln has there; unknown for HTTP servers
  std::optional<std::chrono::seconds> ahead_by = {};  ///< the server's clock over this machine's, where known
};

/// What Cache::remotes says. Keys are named by their ids, of 16 hexadecimal digits (docs/cache.md).
struct RemoteCaches {
  std::vector<RemoteCacheReport> remotes;  ///< in the order in which they are asked
  std::vector<std::string> public_keys;    ///< whose signatures are believed
  std::string signing_key;                 ///< what this machine signs with; empty where it has none
};

/// What Cache::push and Cache::pull take. An aggregate, a plain value.
struct TransferOptions {
  std::string remote = {};                              ///< as CacheOptions::remote; empty: KILN_CACHE_REMOTE
  std::vector<std::filesystem::path> public_keys = {};  ///< as CacheOptions::public_keys
  std::vector<std::string> names = {};                  ///< only of these names, as CacheEntry::name, which may be ""
  std::vector<std::string> archs = {};                  ///< only for these architectures, such as "sm_90"; PTX, too
  /// Only what was used in so many seconds before: of this folder as CacheEntry::last_used has it, of a remote by its
  /// own clock.
  std::optional<std::chrono::seconds> newer_than = {};
};

/// What Cache::push or Cache::pull did with one remote cache. Counted are code entries.
struct CacheTransfer {
  std::string address;                   ///< without user and password
  std::uint64_t moved = 0;               ///< pushed there, or pulled from there
  std::uint64_t already_there = 0;       ///< these were not moved
  std::uint64_t too_large = 0;           ///< beyond what is kept at remotes, 64 MiB
  std::uint64_t refused = 0;             ///< values, of any kind, without a valid signature by a key that is trusted
  std::uint64_t damaged = 0;             ///< values, of any kind, that are not what their names say
  std::uint64_t unfindable = 0;          ///< not moved: no manifest leads to them any more, and nobody would find them
  std::string left_out = {};             ///< why nothing was done with this remote; empty where something was
  bool nothing_meant = false;            ///< whether nothing there, of whatever age, has such a name and architecture
  std::vector<std::string> others = {};  ///< then: some that are there, such as "scale.cu for sm_80", five at most
};

/// How Cache::export_to signs. An aggregate, a plain value, and so is the next one.
struct ExportOptions {
  bool sign = false;  ///< whether the file gets a signature over all of it, so that others know whose it is
  /// The file of an Ed25519 private key (PEM), of mode 0600. Empty: KILN_CACHE_SIGNING_KEY. Not looked at otherwise.
  std::filesystem::path signing_key = {};
};

/// What Cache::import_from takes.
struct ImportOptions {
  /// Files of Ed25519 public keys (PEM), or folders of files *.pub, beside those of KILN_CACHE_PUBLIC_KEYS. Where there
  /// are any, only files that one of them signed are taken.
  std::vector<std::filesystem::path> public_keys = {};
  bool allow_unsigned = false;  ///< takes a file whatever its signature, and looks at no key
};

/// Names a cache folder; owns nothing and opens nothing until asked. Thread-safe, also beside other processes. A folder
/// that is not to be trusted (docs/cache.md) is an Error. Counterparts: PyCUDA's cache_dir; `kiln cache`, by its names.
class KILN_EXPORT Cache {
 public:
  /// The folder that compiles use by default: KILN_CACHE_DIR, PYCUDA_CACHE_DIR, $XDG_CACHE_HOME/kiln,
  /// $HOME/.cache/kiln. Throws Error where none of them is set.
  Cache();
  explicit Cache(std::filesystem::path directory) : directory_(std::move(directory)) {}

  /// Counterpart: `kiln cache path`.
  const std::filesystem::path& directory() const noexcept { return directory_; }
  /// Zeros where there is no folder. Throws Error where it cannot be read or trusted. Counterpart: `kiln cache stats`.
  CacheStats stats() const;
  /// Sets the counters to zero, for all processes; `entries` and `bytes` stay what they are. What another process has
  /// counted and not written yet is counted after that. Throws Error where the counters cannot be written.
  /// Counterpart: `kiln cache stats --reset`.
  void reset_stats() const;
  /// Every code entry, most recently used first. Reads only the front of each file and touches none. Throws Error where
  /// the folder cannot be read. Counterpart: `kiln cache list`.
  std::vector<CacheEntry> entries() const;
  // The next three take a request as compile() does, and find its entry in this folder alone: neither in memory nor in
  // read-only folders. They compile nothing and count nothing; what options.caching says, options.cache, options.keep
  // and KILN_DISABLE_CACHE do not matter. They throw ArgumentError for options that make no sense, Error where the
  // folder is refused.

  /// The entry of that request, if the folder has it. Of several architectures in KILN_ARCH the first's. Counterpart:
  /// entries, for all.
  std::optional<CacheEntry> find(std::string_view source, const CompileOptions& options = {}) const;
  /// Its code. Counterpart: compile with CacheOptions::dir, which compiles what is not there.
  std::optional<CodeObject> read(std::string_view source, const CompileOptions& options = {}) const;
  /// Removes the entry, for each architecture in KILN_ARCH, and forgets its code in this process's memory, so that the
  /// next request compiles again; modules and CodeObjects that have it keep it, and so do other processes. Whether
  /// there was one. Throws Error where it cannot be removed. Counterpart: clear, for all.
  bool remove(std::string_view source, const CompileOptions& options = {}) const;
  /// Reads every file of the cache and checks all of its bytes; removes the damaged ones and counts them as corrupt. A
  /// folder of NVRTC's headers is one file here: any change in it is damage.
  /// Throws Error where the folder cannot be read. Counterpart: `kiln cache verify`.
  CacheCheck verify() const;
  /// Removes every entry and NVRTC's unpacked headers, and nothing that is not the cache's own, and forgets the
  /// entries' code in this process's memory, as remove() does; counters go on. Returns the number of entries removed.
  /// Throws Error where one cannot be removed. Counterpart: `kiln cache clear`.
  std::uint64_t clear() const;
  /// Removes the entries that were not used for the longest time until all files of the cache have at most so many
  /// bytes; 0 removes every entry. Without a number the limit is that of KILN_CACHE_MAX_SIZE. NVRTC's unpacked headers,
  /// which do not count, go where no compile used them for a day. This process's memory forgets what was removed, as
  /// with remove(). Throws Error where the folder cannot be read. Counterpart: `kiln cache prune`.
  CachePruned prune() const;
  CachePruned prune(std::uint64_t max_bytes) const;
  /// Writes every whole entry into one file, which appears, or replaces an earlier one, when it is complete. Needs
  /// memory for one entry at a time. Returns the number of code entries written. Throws Error where the folder cannot
  /// be read, the file cannot be written, or the key is none to sign with. Counterparts: import_from; `kiln cache
  /// export`.
  std::uint64_t export_to(const std::filesystem::path& file, const ExportOptions& options = {}) const;
  /// Reads a file that export_to made: checks all of it first, and adds nothing where one byte is wrong; then adds what
  /// is not here yet. The headers that an added entry was compiled with are compared by content when it is first looked
  /// up. A file from somebody else is code from somebody else: its checksum is against damage, its signature, where
  /// keys are given, against intent. Returns the number of code entries added. Throws Error where the file is damaged,
  /// cannot be read or is not signed by a key that is given, where a key cannot be read, and where the folder cannot be
  /// written, in which case a part may have been added and a second call adds the rest. Counterparts: export_to; `kiln
  /// cache import`.
  std::uint64_t import_from(const std::filesystem::path& file, const ImportOptions& options = {}) const;
  /// Signs every whole entry in place. Readers with CacheOptions::public_keys then use it, whichever user owns the
  /// folder: for a folder that is then made readable to others and changed no more. An entry that is added or changed
  /// later has no signature; a second call adds it. `signing_key` is the file of an Ed25519 private key (PEM), of mode
  /// 0600; empty: KILN_CACHE_SIGNING_KEY. Returns the number of code entries that are signed. Throws Error where the
  /// key is none to sign with, and where the folder cannot be read or written, in which case a part may be signed.
  /// Counterpart: `kiln cache sign`.
  std::uint64_t sign(const std::filesystem::path& signing_key = {}) const;
  /// Asks each remote cache what it is, and whether it takes values: by one of a name of its own, which is removed
  /// again, but for a remote that is read-only. A remote that does not answer is no error here. `remote` is as
  /// CacheOptions::remote; empty: KILN_CACHE_REMOTE. Takes as long as the connect-timeout of a remote that is not
  /// there, and up to 30 s for one that is slow. Throws ArgumentError for addresses that make no sense, Error where a
  /// key cannot be used and where no process can be started. Counterpart: `kiln cache remote`.
  RemoteCaches remotes(const std::string& remote = {}) const;
  // The next two move entries to and from remote caches: those that a compile would put there, and take from there.
  // Each entry appears whole or not at all, and what is there already is not moved. Up to 30 s are waited for each
  // answer. One CacheTransfer for each remote; one that takes no part says why. Both throw Error where a remote fails
  // on the way (what was moved stays, and a second call moves the rest), where none takes part, and where a key cannot
  // be used; ArgumentError for addresses and architectures that make no sense.

  /// Puts entries of this folder at every remote that takes values. Counterparts: pull; `kiln cache push`.
  std::vector<CacheTransfer> push(const TransferOptions& options = {}) const;
  /// Brings what remotes have into this folder, checked as import_from checks it: signatures, but where the address
  /// says that there are none, and all bytes; headers are compared by content when an entry is first looked up. HTTP
  /// servers do not list what they have, and take no part. Counterparts: push; `kiln cache pull`.
  std::vector<CacheTransfer> pull(const TransferOptions& options = {}) const;

 private:
  std::filesystem::path directory_;
};

}  // namespace kiln
