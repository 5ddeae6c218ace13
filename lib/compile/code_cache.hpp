// The disk's part of a compile: where code is looked for, and where it is kept.
#pragma once

#include "cache/store.hpp"
#include "compile/code_data.hpp"
#include "compile/request.hpp"

#include <kiln/compile_options.hpp>

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
  explicit CodeCache(const CompileOptions& options);
  /// Writes what was counted and is not written yet.
  ~CodeCache();
  CodeCache(const CodeCache&) = delete;
  CodeCache& operator=(const CodeCache&) = delete;

  /// Looks in the own folder, then in the others. Counts a hit; a miss is counted by whoever then compiles.
  std::optional<FoundCode> find(const Request& request);
  /// The entry in the own folder that find() would read, as far as can be told without reading it. Counts nothing.
  std::optional<Digest> find_key(const Request& request);
  /// After find() found nothing: waits for the right to compile the request, which `turn` then holds, and looks again.
  std::optional<FoundCode> take_turn(const Request& request, Turn& turn);
  /// Keeps what was compiled; whether it is there for others.
  bool keep(const Request& request, CodeData& code, const Dependencies& dependencies);
  /// Instead of keep.
  void give_up(const Request& request, Turn& turn);
  void count(Counter counter);
  /// Counts the request as one that must be compiled, once, whichever compilers are asked.
  void count_miss();
  /// Whether NVRTC has refused this request, and nvcc was asked.
  bool knows_need_of_nvcc(const Request& request);
  void note_need_of_nvcc(const Request& request);
  /// The user's own folder; null where there is none.
  CacheStore* own_store() const noexcept { return own_; }
  /// Who made the code that is in these folders, without repetition.
  std::vector<std::string> makers();
  /// Where find() looks, in order.
  std::vector<std::string> folders() const;
  /// After a look-up that found nothing: what differs from an earlier compile of that name, in words.
  std::vector<std::string> explain(const Request& request) const;

 private:
  std::vector<CacheStore*> stores() const;
  std::optional<FoundCode> take(const Request& request, CacheStore& store, std::optional<CacheStore::Hit> hit);

  CacheStore* own_ = nullptr;
  bool missed_ = false;
  std::vector<CacheStore*> read_only_;
  std::string changed_;  // a header, told by a look-up
};

}  // namespace kiln
