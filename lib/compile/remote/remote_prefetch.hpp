// All that a batch of requests misses, asked for at once.
#pragma once

#include "cache/key_lock.hpp"
#include "compile/remote/remote_cache.hpp"

#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// Collects the requests that no folder has, and brings what remote caches have of them into the cache folder, by two
/// questions for every hundred or so, where each for itself would take two. Thread-safe.
class RemotePrefetch {
 public:
  /// Notes a request; `remote` is what would be asked for it.
  void add(const RemoteCache& remote, const CacheRequest& request);
  bool is_empty();
  /// Asks for all that was noted since the last call, but for what another process is about to compile or to fetch.
  /// What comes is taken by so many threads.
  void run(std::size_t threads);

 private:
  /// While it lives no other process compiles or fetches it.
  struct Item {
    Item(const CacheRequest& request, CacheStore& store)
        : key(request.key),
          may_include(request.may_include),
          roots(request.roots()),
          own(store),
          lock(store.folder().files()) {}
    WantedEntry wanted() const { return {key, may_include, roots}; }
    void take(std::string first, std::string note);
    void take_variant(std::string code);

    CacheKey key;
    bool may_include;
    Roots roots;
    CacheStore& own;
    KeyLock lock;
    std::optional<RemoteManifest::Variant> variant = {};
  };
  /// Requests for one list of remotes.
  struct Group {
    RemoteCalls calls;
    std::list<Item> items;
  };
  static void fetch(const RemoteCalls& calls, std::list<Item>& all, std::size_t threads);

  std::mutex mutex_;
  std::list<Group> groups_;
};

}  // namespace kiln
