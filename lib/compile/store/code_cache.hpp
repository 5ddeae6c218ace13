// The disk's part of a compile: where code is looked for, and where it is kept.
#pragma once

#include "cache/store.hpp"
#include "compile/code/code_data.hpp"
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
  /// None, for who neither looks up nor stores.
  CodeCache() = default;
  /// Throws ArgumentError for an owner that this system does not know. Warns once where there is no folder.
  explicit CodeCache(const CacheOptions& options);
  /// Writes what was counted and is not written yet.
  ~CodeCache();
  CodeCache(const CodeCache&) = delete;
  CodeCache& operator=(const CodeCache&) = delete;

  /// Looks in the own folder, then in the others. Counts a hit; a miss is counted by whoever then compiles.
  std::optional<FoundCode> find(const CacheRequest& request);
  /// The entry in the own folder that find() would read, as far as can be told without reading it. Counts nothing.
  std::optional<Digest> find_key(const CacheRequest& request);
  /// Keeps what was compiled; whether it is there for others.
  bool keep(const CacheRequest& request, CodeData& code, const Dependencies& dependencies);
  void count(Counter counter);
  /// Counts the request as one that must be compiled, once, whichever compilers are asked.
  void count_miss();
  /// Whether NVRTC has refused this request, and nvcc was asked.
  bool knows_need_of_nvcc(const CacheRequest& request);
  void note_need_of_nvcc(const CacheRequest& request);
  /// The user's own folder; null where there is none.
  CacheStore* own_store() const noexcept { return own_; }
  /// Who made the code that is in these folders, without repetition.
  std::vector<std::string> makers();
  /// Where find() looks, in order.
  std::vector<std::string> folders() const;
  /// After a look-up that found nothing: what differs from an earlier compile of that name, in words.
  std::vector<std::string> explain(const CacheRequest& request) const;

 private:
  friend class CompileLock;
  std::vector<CacheStore*> stores() const;
  std::optional<FoundCode> take(const CacheRequest& request, CacheStore& store, std::optional<CacheStore::Hit> hit);

  CacheStore* own_ = nullptr;
  bool missed_ = false;
  std::vector<CacheStore*> read_only_;
  std::string changed_;  // a header, told by a look-up
};

/// The right to compile a request, which one process at a time has. Unless it was released, those who wait for it learn
/// at its end that nothing was kept, and compile each by itself.
class CompileLock {
 public:
  CompileLock(CodeCache& cache, const CacheRequest& request)
      : cache_(cache), request_(request), turn_(FileSystem::real()) {}
  ~CompileLock();
  CompileLock(const CompileLock&) = delete;
  CompileLock& operator=(const CompileLock&) = delete;

  /// After find() found nothing: waits for the right, and looks again. Code where another process made it meanwhile;
  /// nothing where this one is to compile, or `stop` is due.
  std::optional<FoundCode> wait(const Stop& stop);
  /// Those who wait look for what was kept or noted.
  void release() noexcept { turn_.release(); }

 private:
  CodeCache& cache_;
  const CacheRequest request_;
  Turn turn_;
};

}  // namespace kiln
