// The cache folders of a request: where code is looked for, and where it is stored.
#pragma once

#include "cache/compile_lock.hpp"
#include "cache/store.hpp"
#include "compile/code/code_data.hpp"
#include "compile/code/made_code.hpp"
#include "compile/remote/remote_cache.hpp"
#include "compile/remote/remote_prefetch.hpp"
#include "compile/request/cache_request.hpp"

#include <kiln/cache_options.hpp>

#include <memory>
#include <string>
#include <vector>

namespace kiln {

/// Code that was found, and what it depends on in today's states.
struct FoundCode {
  std::shared_ptr<CodeData> code;
  Dependencies dependencies;
};

/// The caches of one request: the user's own folder, and those that are only read. For one thread.
class CodeCache {
 public:
  /// No folder, for a compile that neither looks up nor stores.
  CodeCache() = default;
  /// Throws ArgumentError for an owner that this system does not know. Warns once where there is no folder. With
  /// Counting::off hits and misses are not counted.
  explicit CodeCache(const CacheOptions& options, Counting counting = Counting::on);
  /// That folder alone. Counts neither hits nor misses.
  explicit CodeCache(CacheStore& store) : own_(&store), counting_(Counting::off) {}
  /// Writes what was counted and is not written yet.
  ~CodeCache();
  CodeCache(const CodeCache&) = delete;
  CodeCache& operator=(const CodeCache&) = delete;

  /// Looks in the own folder, then in the others. Counts a hit; count_miss() is called before a compile.
  std::optional<FoundCode> find(const CacheRequest& request);
  /// Has what find() does not find noted, where there are remote caches to be asked for it.
  void note_misses(RemotePrefetch* prefetch) noexcept { prefetch_ = prefetch; }
  /// The lock of the own folder, not taken yet; of nothing where there is no folder.
  CompileLock compile_lock() const { return CompileLock(own_); }
  /// After find() found nothing: waits for the lock, and looks again. Code where another process made it meanwhile;
  /// nothing where this one is to compile, or `stop` is due.
  std::optional<FoundCode> lock(CompileLock& lock, const CacheRequest& request, const Stop& stop);
  /// After lock() found nothing: whether remote caches brought the code, or a note of the need of nvcc, into the own
  /// folder, and the code.
  std::optional<FoundCode> fetch(const CacheRequest& request, const Stop& stop);
  /// The entry in the own folder that find() would read, as far as is known without reading it. Counts nothing.
  std::optional<Digest> find_key(const CacheRequest& request);
  /// Stores what was compiled; whether it is there for others.
  bool keep(const CacheRequest& request, CodeData& code, const Dependencies& dependencies);
  /// What find() would find, for another machine. Counts nothing.
  std::optional<PortableCode> find_portable(const CacheRequest& request);
  /// The same of code that is in memory already.
  PortableCode portable(const CacheRequest& request, const CodeData& code, Dependencies dependencies) const;
  /// Stores what another machine made, as if it had been compiled here, where it is of this request and everything that
  /// it depends on has the same content here. Nothing where it is not. Counts no hit.
  std::optional<FoundCode> accept(const CacheRequest& request, PortableCode code);
  void count(Counter counter);
  /// Counts the request as one that must be compiled, once, whichever compilers are asked.
  void count_miss();
  /// Whether NVRTC has refused this request, and nvcc was asked.
  bool knows_need_of_nvcc(const CacheRequest& request);
  void note_need_of_nvcc(const CacheRequest& request);
  /// The user's own folder; null where there is none.
  CacheFolder* own_folder() const noexcept { return own_ != nullptr ? &own_->folder() : nullptr; }
  /// The identities of the compilers and linkers that made the code in these folders, without repetition.
  std::vector<std::string> makers();
  /// Where find() looks, in order.
  std::vector<std::string> folders() const;
  /// After a look-up that found nothing: what differs from an earlier compile of that name, in words.
  std::vector<std::string> explain(const CacheRequest& request) const;

 private:
  std::vector<CacheStore*> stores() const;
  /// `where`: a word for the range's mark.
  std::optional<FoundCode> decode(const CacheRequest& request, CacheStore& store, std::optional<CacheStore::Hit> hit,
                                  const char* where);

  CacheStore* own_ = nullptr;
  Sync sync_ = Sync::off;
  Counting counting_ = Counting::on;
  bool missed_ = false;
  std::vector<CacheStore*> read_only_;
  std::unique_ptr<RemoteCache> remote_;  // null where there is none
  RemotePrefetch* prefetch_ = nullptr;
  std::string changed_;  // the path that a look-up found changed
};

/// What is said of a request that the caches do not have.
struct WantedCode {
  std::string name;   // of the source, or of the linked code
  std::string arch;   // "sm_90"; empty where the compiler would decide
  std::string maker;  // who would make it: "NVRTC", "nvJitLink"
  std::vector<std::string> instances = {};
  std::vector<std::string> reasons = {};  // why it is not there
};

/// Whether CacheOptions::require_hit or KILN_REQUIRE_CACHED forbids to compile and to link.
bool requires_hit(const CacheOptions& caching);

/// Throws NotCached; the folders are those where it was looked for.
[[noreturn]] void throw_not_cached(const WantedCode& wanted, const std::vector<std::string>& folders);

}  // namespace kiln
