#include "compile/keyed_code.hpp"

#include "cache/key.hpp"
#include "cache/location.hpp"
#include "compile/code_cache.hpp"
#include "compile/make_code.hpp"
#include "compile/memory_code.hpp"
#include "compile/option_files.hpp"
#include "compile/stopped.hpp"

#include <utility>

namespace kiln {

namespace {

/// In this process's memory: the work, and where its code is kept.
std::string identity_of(const KeyedWork& work, const CompileOptions& caching) {
  KeyBuilder identity(work.key.size() + 256);
  identity.add("keyed", work.key).add("variant", work.variant).add("cache", caching.cache_dir.native());
  for (const auto& folder : caching.read_only_cache_dirs) identity.add("r", folder.native());
  identity.add("", caching.trusted_owners);
  return std::move(identity).take();
}

/// What the caches are asked with.
Request request_of(const KeyedWork& work) {
  Request request;
  request.compiler = {work.backend, work.maker, {}, true};
  request.job.name = work.name;
  request.job.stop = work.stop;
  request.key = CacheKey(work.key);
  return request;
}

/// One work on its way through the disk.
class Making {
 public:
  Making(const KeyedWork& work, const CompileOptions& caching, const std::string& identity)
      : work_(work), identity_(identity), cache_(caching), request_(request_of(work)) {}

  std::optional<CodeObject> find() {
    if (auto found = cache_.find(request_)) return remember(std::move(found->code), true);
    return std::nullopt;
  }

  CodeObject find_or_make() {
    if (auto found = find()) return *std::move(found);
    Turn turn(FileSystem::real());
    if (auto found = cache_.take_turn(request_, turn)) return remember(std::move(found->code), true);
    if (work_.stop.is_due()) throw_stopped(work_.name, work_.stop);
    cache_.count_miss();
    try {
      std::shared_ptr<CodeData> code = work_.make();
      cache_.count(Counter::compiles);
      inform(request_, "made for " + code->arch);
      if (have_changed(work_.option_files)) {
        cache_.count(Counter::refused_young_header);
        cache_.count(Counter::refused);
        cache_.give_up(request_, turn);
        if (work_.finish) work_.finish(*code);
        return CodeObject(std::move(code), false);
      }
      if (!cache_.keep(request_, *code, {})) cache_.give_up(request_, turn);
      return remember(std::move(code), false);
    } catch (...) {
      cache_.give_up(request_, turn);
      throw;
    }
  }

 private:
  CodeObject remember(std::shared_ptr<CodeData> code, bool from_cache) {
    if (work_.finish) work_.finish(*code);
    if (from_cache) inform(request_, "found in the cache, for " + code->arch);
    remember_code(identity_, code, {}, {});
    return CodeObject(std::move(code), from_cache);
  }

  const KeyedWork& work_;
  const std::string& identity_;
  CodeCache cache_;
  const Request request_;
};

}  // namespace

bool keeps_code(const CompileOptions& caching) { return caching.cache && !caching.keep && !cache_disabled(); }

CodeObject find_or_make(const KeyedWork& work, const CompileOptions& caching) {
  if (!keeps_code(caching)) {
    std::shared_ptr<CodeData> code = work.make();
    if (work.finish) work.finish(*code);
    return CodeObject(std::move(code), false);
  }
  const std::string identity = identity_of(work, caching);
  return recall_or_get(identity, work.name, work.stop, [&] { return Making(work, caching, identity).find_or_make(); });
}

std::optional<CodeObject> find_made(const KeyedWork& work, const CompileOptions& caching) {
  if (!keeps_code(caching)) return std::nullopt;
  const std::string identity = identity_of(work, caching);
  if (auto known = recall_code(identity)) return CodeObject(std::move(known), true);
  return Making(work, caching, identity).find();
}

std::vector<std::string> makers_in_caches(const CompileOptions& caching) {
  return keeps_code(caching) ? CodeCache(caching).makers() : std::vector<std::string>();
}

}  // namespace kiln
