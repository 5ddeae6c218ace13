#include "compile/store/keyed_code.hpp"

#include "base/passkey.hpp"
#include "cache/key.hpp"
#include "cache/location.hpp"
#include "compile/options/option_files.hpp"
#include "compile/store/cached_compile.hpp"
#include "compile/store/memory_code.hpp"

#include <utility>

namespace kiln {

namespace {

/// In this process's memory: the work, and where its code is kept.
std::string identity_of(const KeyedWork& work, const CacheOptions& caching) {
  KeyBuilder identity(work.key.size() + 256);
  // Links and LLVM IR have no headers, so that strict_headers says nothing; the rest says how code is found or stored.
  identity.add("keyed", work.key).add("variant", work.variant).add("cache", caching.dir.native());
  for (const auto& folder : caching.read_only_dirs) identity.add("r", folder.native());
  identity.add("", caching.trusted_owners);
  for (const auto& path : caching.public_keys) identity.add("p", path.native());
  return std::move(identity).take();
}

class KeyedCompile : public CachedCompile {
 public:
  KeyedCompile(const KeyedWork& work, std::string identity, CodeCache& cache)
      : CachedCompile(cache), work_(work), identity_(std::move(identity)), key_(work.key) {}

 private:
  CacheRequest request() const override { return {work_.name, key_, work_.maker}; }
  const Stop& stop() const override { return work_.stop; }
  CallTiming* timing() const override { return work_.timing; }
  std::optional<WantedCode> wanted_from_cache() const override { return work_.wanted_from_cache; }
  MadeCode compile() override {
    MadeCode made{work_.make()};
    if (have_changed(work_.option_files))
      made.headers.refusal.add(Counter::refused_young_header,
                               "a file that an option names changed while it was being used");
    return made;
  }
  void complete(CodeData& code) const override {
    code.name = work_.name;
    if (work_.finish) work_.finish(code);
  }
  std::optional<RememberedCode> remembered() const override { return remembered_code(identity_); }
  void keep_in_memory(const std::shared_ptr<CodeData>& code, Dependencies) const override {
    store_in_memory(identity_, code, {}, {}, cache().own_folder());
  }

  const KeyedWork& work_;
  const std::string identity_;
  const CacheKey key_;
};

CodeObject compile_unless_found(const KeyedWork& work, const std::string& identity, const CacheOptions& caching) {
  CodeCache cache(caching);
  KeyedCompile compile(work, identity, cache);
  if (auto found = compile.find()) return *std::move(found);
  return std::get<CodeObject>(compile.find_or_compile());
}

}  // namespace

bool is_cacheable(const CompileOptions& options) { return options.cache && !options.keep && !cache_disabled(); }

CodeObject find_or_make(const KeyedWork& work, const CacheOptions* caching) {
  if (caching == nullptr) {
    CodeCache none;
    return std::get<CodeObject>(KeyedCompile(work, {}, none).compile_only());
  }
  const std::string identity = identity_of(work, *caching);
  return find_in_memory_or_compile(identity, work.name, work.stop,
                                   [&] { return compile_unless_found(work, identity, *caching); });
}

std::optional<CodeObject> find_made(const KeyedWork& work, const CacheOptions* caching, Counting counting) {
  if (caching == nullptr) return std::nullopt;
  if (auto known = find_in_memory(identity_of(work, *caching), counting))
    return CodeObject(passkey, std::move(known), true);
  CodeCache cache(*caching, counting);
  return find_made_in(cache, work, *caching);
}

std::optional<CodeObject> find_made_in(CodeCache& cache, const KeyedWork& work, const CacheOptions& caching) {
  return KeyedCompile(work, identity_of(work, caching), cache).find();
}

std::optional<PortableCode> find_portable(const KeyedWork& work, const CacheOptions& caching) {
  CodeCache cache(caching, Counting::off);
  return KeyedCompile(work, identity_of(work, caching), cache).find_portable();
}

std::optional<CodeObject> accept_made(const KeyedWork& work, const CacheOptions& caching, PortableCode code,
                                      bool from_cache) {
  CodeCache cache(caching);
  return KeyedCompile(work, identity_of(work, caching), cache).accept(std::move(code), from_cache);
}

std::vector<std::string> makers_in_caches(const CacheOptions* caching) {
  return caching != nullptr ? CodeCache(*caching).makers() : std::vector<std::string>();
}

}  // namespace kiln
