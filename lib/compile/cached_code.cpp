// kiln::is_cached, and the members of Cache that look for code or remove it: of this process's memory, too.
#include <kiln/cache.hpp>
#include <kiln/compile.hpp>

#include "cache/eviction.hpp"
#include "cache/listing.hpp"
#include "cache/open_stores.hpp"
#include "cache/pch_folder.hpp"
#include "compile/compile_contexts.hpp"
#include "compile/compiler_selection.hpp"
#include "compile/headers/called_headers.hpp"
#include "compile/store/memory_code.hpp"

namespace kiln {

namespace {

/// The options as the folder's own request has them.
CompileOptions in_folder(const Cache& cache, const CompileOptions& options) {
  CompileOptions own = options;
  own.caching.dir = cache.directory();
  return own;
}

CacheStore& usable_store(const Cache& cache) {
  CacheStore& store = open_store(cache.directory().string());
  store.folder().require_usable();
  return store;
}

std::optional<CodeObject> find_in(CacheStore& store, std::string_view source, const CompileOptions& options,
                                  const CompileContext& context) {
  CodeCache cache(store);
  const CompileInput input = kept_input(source, options, context);
  return CompilerSelection(input, cache).find();
}

/// What compile() would return.
std::optional<CodeObject> find_first(const Cache& cache, std::string_view source, const CompileOptions& options) {
  CacheStore& store = usable_store(cache);
  const CalledOptions called(source, options);
  std::optional<CodeObject> found;
  bool is_first = true;
  for_each_context(options, {}, [&](const CompileContext& context) {
    if (is_first) found = find_in(store, source, called.get(), context);
    is_first = false;
  });
  return found;
}

CachePruned prune_store(CacheStore& store, std::optional<std::uint64_t> max_bytes) {
  const CachePruned pruned = prune_entries(store.folder(), max_bytes);
  if (pruned.entries != 0) forget_removed_in_memory(store);
  return pruned;
}

}  // namespace

bool is_cached(std::string_view source, const CompileOptions& options) {
  const CalledOptions called(source, options);
  bool all = true;
  for_each_context(options, {}, [&](const CompileContext& context) {
    all = all && find_code_for(source, called.get(), context, Counting::off).has_value();
  });
  return all;
}

std::optional<CodeObject> Cache::read(std::string_view source, const CompileOptions& options) const {
  return find_first(*this, source, in_folder(*this, options));
}

std::optional<CacheEntry> Cache::find(std::string_view source, const CompileOptions& options) const {
  const auto code = read(source, options);
  return code ? find_entry(usable_store(*this).folder(), code->data()->store_key) : std::nullopt;
}

bool Cache::remove(std::string_view source, const CompileOptions& options) const {
  const CompileOptions own = in_folder(*this, CalledOptions(source, options).get());
  CacheStore& store = usable_store(*this);
  bool removed = false;
  for_each_context(own, {}, [&](const CompileContext& context) {
    const auto code = find_in(store, source, own, context);
    if (!code) return;
    const Digest key = code->data()->store_key;
    removed |= remove_entry(store.folder(), key);
    forget_in_memory(store, key);
  });
  return removed;
}

std::uint64_t Cache::clear() const {
  CacheStore& store = open_store(directory_.string());
  const std::uint64_t removed = clear_entries(store.folder());
  forget_removed_in_memory(store);
  clear_pch(store.folder().root());
  return removed;
}

CachePruned Cache::prune() const {
  CacheStore& store = open_store(directory_.string());
  const CachePruned pruned = prune_store(store, std::nullopt);
  prune_pch(store.folder().root());
  return pruned;
}

CachePruned Cache::prune(std::uint64_t max_bytes) const {
  return prune_store(open_store(directory_.string()), max_bytes);
}

}  // namespace kiln
