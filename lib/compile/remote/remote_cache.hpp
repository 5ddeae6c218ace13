// The remote caches of one request: what they have is brought into the cache folder, as an imported bundle is, checked,
// and nothing where it does not fit; what was compiled is put there.
#pragma once

#include "base/stop.hpp"
#include "cache/remote/remote_manifest.hpp"
#include "cache/store.hpp"
#include "compile/code/code_data.hpp"
#include "compile/remote/remote_calls.hpp"
#include "compile/request/cache_request.hpp"

#include <kiln/cache_options.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// All that goes over a network is done by a worker. A remote that fails, is slow or lies is a miss. For one thread.
class RemoteCache {
 public:
  /// Null where no remote is named, or none can be used. Throws ArgumentError for a member of the options that makes no
  /// sense; the environment is warned of instead.
  static std::unique_ptr<RemoteCache> of(const CacheOptions& options, CacheStore& own);
  /// Gives up a claim on code that was not put.
  ~RemoteCache();
  RemoteCache(const RemoteCache&) = delete;
  RemoteCache& operator=(const RemoteCache&) = delete;

  /// Whether the own folder has the code, or a note that there will be none, now: to be called by the process that has
  /// the lock, before it compiles. Where another machine compiles the same, waits for it; but not where nothing may be
  /// compiled here. Throws CompileStopped.
  bool fetch(const CacheRequest& request, const Stop& stop);
  const RemoteCalls& calls() const noexcept { return calls_; }
  CacheStore& own() const noexcept { return own_; }

  /// What was compiled, as the own folder has it. Returns before it is there.
  void put(const CacheRequest& request, const Digest& key, const Dependencies& dependencies, const Sections& sections);
  /// That the request needs nvcc.
  void put_note(const CacheRequest& request, const Sections& sections);

 private:
  RemoteCache(RemotePlace place, CacheStore& own, bool may_compile);
  bool fetch_once(const CacheRequest& request, const Stop& stop, bool& wait);
  RemoteFound get_or_claim(std::vector<RemoteName> names, const RemoteName& claim, const Stop& stop, bool& wait);
  void put(const CacheRequest& request, RemoteName name, std::string entry, std::string manifest);

  const RemoteCalls calls_;
  CacheStore& own_;
  const bool may_compile_;
  RemoteName claimed_;
  std::string owner_;  // empty where nothing is claimed
};

/// What a cache is asked for. A view.
struct WantedEntry {
  const CacheKey& key;
  bool may_include;
  const Roots& roots;

  /// What is asked for first.
  EntryKind first() const noexcept { return may_include ? EntryKind::manifest : EntryKind::code; }
};

/// The variant of a manifest's file that fits this machine.
std::optional<RemoteManifest::Variant> variant_here(CacheStore& own, const WantedEntry& wanted, std::string file);
/// Whether the folder has the code now. `key`: of the entry, which without headers is the request's own.
bool adopt_code(CacheStore& own, const WantedEntry& wanted, const Digest& key, const Dependencies& dependencies,
                std::string file);
/// Whether the folder has the note now.
bool adopt_note(CacheStore& own, const WantedEntry& wanted, std::string file);

}  // namespace kiln
