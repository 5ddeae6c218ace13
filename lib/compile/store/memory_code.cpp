#include "compile/store/memory_code.hpp"

#include "base/fork_safe_instance.hpp"
#include "base/passkey.hpp"
#include "base/range.hpp"
#include "cache/listing.hpp"
#include "cache/location.hpp"
#include "cache/memory_tier.hpp"
#include "cache/open_stores.hpp"
#include "cache/single_flight.hpp"
#include "compile/compiler/stopped.hpp"

#include <kiln/error.hpp>

#include <atomic>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

namespace kiln {

namespace {

struct Item {
  Item(std::shared_ptr<const CodeData> of, Dependencies on, Roots below, CacheFolder* in)
      : code(std::move(of)),
        dependencies(std::move(on)),
        roots(std::move(below)),
        folder(in),
        stored_ns(FileSystem::real().steady_ns()),
        has_old_states(are_reliable(dependencies)) {}

  std::shared_ptr<const CodeData> code;
  Dependencies dependencies;
  Roots roots;
  CacheFolder* folder;
  std::int64_t stored_ns;  // FileSystem::steady_ns
  /// Whether states alone prove, in this process, that contents are unchanged.
  mutable std::atomic<bool> has_old_states;
};

/// If the states are new, or not reliable, contents are compared until that was done at least a tick later. Within a
/// process images are not exchanged.
bool has_same_contents(const Item& item) {
  if (item.has_old_states.load(std::memory_order_relaxed)) return true;
  FileSystem& files = FileSystem::real();
  const bool is_old = files.steady_ns() - item.stored_ns >= longest_tick_ns(item.dependencies);
  FileObserver observer(files, false);
  Dependencies now = item.dependencies;
  if (check_dependencies(observer, item.roots, now, nullptr, {}) == Freshness::changed) return false;
  if (is_old) item.has_old_states.store(true, std::memory_order_relaxed);
  return true;
}

std::size_t memory_limit() {
  const std::uint64_t limit = cache_memory_limit();
  return limit == 0 || limit > SIZE_MAX ? SIZE_MAX : static_cast<std::size_t>(limit);
}

/// Never destroyed: modules of static lifetime may compile while the process exits.
MemoryTier<const Item>& tier() {
  static MemoryTier<const Item>& instance = *new MemoryTier<const Item>(memory_limit());
  return instance;
}

}  // namespace

std::shared_ptr<const CodeData> find_in_memory(const std::string& identity, Counting counting) {
  const std::shared_ptr<const Item> found = tier().find(identity);
  if (!found || found->code->discarded.load(std::memory_order_relaxed)) return nullptr;
  if (!unchanged(FileSystem::real(), found->roots, found->dependencies)) {
    Dependencies now = found->dependencies;
    if (!has_only_folder_changes(FileSystem::real(), found->roots, now)) return nullptr;
    store_in_memory(identity, found->code, std::move(now), found->roots, found->folder);
  } else if (!has_same_contents(*found)) {
    return nullptr;
  }
  if (counting == Counting::on) mark_in_range("hit", "memory");
  if (counting == Counting::on && found->folder != nullptr) count_memory_hit(*found->folder);
  return found->code;
}

std::optional<RememberedCode> remembered_code(const std::string& identity) {
  const std::shared_ptr<const Item> found = tier().find(identity);
  if (!found) return std::nullopt;
  return RememberedCode{found->code, found->dependencies, found->roots};
}

CodeObject find_in_memory_or_compile(const std::string& identity, const std::string& name, const Stop& stop,
                                     const std::function<CodeObject()>& compile) {
  std::optional<CodeObject> result;
  for (bool waited = false; !result;) {
    if (auto known = find_in_memory(identity)) return CodeObject(passkey, std::move(known), true);
    if (stop.is_due()) throw_stopped(name, stop);
    bool has_compiled = false;
    const auto work = [&] {
      has_compiled = true;
      result = compile();
    };
    try {
      if (waited)
        work();
      else
        waited = !fork_safe_instance<SingleFlight>().run(identity, work, stop);
    } catch (const CompileStopped&) {
      if (has_compiled || stop.is_due()) throw;
      // The compile that this thread waited for reached its own limit.
    } catch (const NotCached&) {
      if (has_compiled) throw;
      // It was not allowed to compile; this one may be.
    }
  }
  return *std::move(result);
}

void store_in_memory(std::string identity, std::shared_ptr<const CodeData> code, Dependencies dependencies, Roots roots,
                     CacheFolder* folder) {
  const std::size_t bytes = identity.size() + code->memory_size() + sizeof(Item);
  auto item = std::make_shared<const Item>(std::move(code), std::move(dependencies), std::move(roots), folder);
  tier().set_budget(memory_limit());
  tier().insert(std::move(identity), std::move(item), bytes);
}

void forget_in_memory(const CacheStore& store, const Digest& key) {
  tier().remove_if([&](const Item& item) {
    const bool is_meant = item.code->store == &store && item.code->store_key == key;
    if (is_meant) item.code->discarded.store(true, std::memory_order_relaxed);  // where it is on its way into memory
    return is_meant;
  });
}

void forget_removed_in_memory(CacheStore& store) {
  std::set<Digest> keys;
  tier().for_each([&](const Item& item) {
    if (item.code->store == &store) keys.insert(item.code->store_key);
  });
  for (const Digest& key : keys)
    if (!find_entry(store.folder(), key)) forget_in_memory(store, key);
}

}  // namespace kiln
