#include "compile/remote/remote_prefetch.hpp"

#include "base/signal_masked_thread.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <iterator>
#include <string>
#include <thread>
#include <utility>

namespace kiln {

namespace {

/// Of one question. Each has a descriptor open for its lock, and all their answers have the time and the memory of one.
constexpr std::size_t most_at_once = 128;
/// To take so many is worth the start of a thread.
constexpr std::size_t worth_a_thread = 8;

/// Without waiting: what another process has at hand is left to it.
bool is_locked_now(KeyLock& lock, CacheFolder& folder, const Digest& key) {
  if (folder.prepare() != 0) return false;
  const auto result = lock.lock(
      folder.lock_path(), key, [] { return true; }, [] {}, std::chrono::milliseconds(0));
  return result == KeyLock::Result::locked || result == KeyLock::Result::unavailable;
}

/// Calls `work` with 0 to count - 1.
template <class Work>
void for_each_in_threads(std::size_t count, std::size_t threads, const Work& work) {
  std::atomic<std::size_t> next{0};
  const auto serve = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (const std::exception&) {  // its compile asks for itself
      }
    }
  };
  threads = std::min(threads, count / worth_a_thread);
  std::vector<std::thread> others;
  others.reserve(threads);
  try {
    while (others.size() + 1 < threads) others.push_back(start_signal_masked_thread(serve));
  } catch (const Error&) {  // fewer will do
  }
  serve();
  for (std::thread& other : others) other.join();
}

}  // namespace

void RemotePrefetch::add(const RemoteCache& remote, const CacheRequest& request) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto is_same = [&](const Group& group) { return group.calls.place() == remote.calls().place(); };
  auto group = std::find_if(groups_.begin(), groups_.end(), is_same);
  if (group == groups_.end()) group = groups_.insert(groups_.end(), Group{RemoteCalls(remote.calls().place()), {}});
  group->items.emplace_back(request, remote.own());
}

bool RemotePrefetch::is_empty() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return groups_.empty();
}

void RemotePrefetch::run(std::size_t threads) {
  std::list<Group> groups;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    groups.swap(groups_);
  }
  for (Group& group : groups) {
    while (!group.items.empty()) {
      std::list<Item> some;
      auto end = group.items.begin();
      for (std::size_t i = 0; i < most_at_once && end != group.items.end(); ++i) ++end;
      some.splice(some.end(), group.items, group.items.begin(), end);
      fetch(group.calls, some, threads);
    }
  }
}

void RemotePrefetch::fetch(const RemoteCalls& calls, std::list<Item>& all, std::size_t threads) {
  std::vector<Item*> items;
  std::vector<RemoteName> names;
  for (Item& item : all) {
    if (!is_locked_now(item.lock, item.own.folder(), item.key.name)) continue;
    items.push_back(&item);
    names.push_back({item.wanted().first(), item.key.name});
    names.push_back({EntryKind::note, item.key.name});
  }
  if (items.empty()) return;
  RemoteFound found = calls.get(std::move(names), {});
  for_each_in_threads(items.size(), threads, [&](std::size_t i) {
    items[i]->take(std::move(found.values[2 * i]), std::move(found.values[2 * i + 1]));
  });

  std::erase_if(items, [](const Item* item) { return !item->variant; });
  if (items.empty()) return;
  names.clear();
  for (const Item* item : items) names.push_back({EntryKind::code, item->variant->key});
  found = calls.get(std::move(names), {});
  for_each_in_threads(items.size(), threads,
                      [&](std::size_t i) { items[i]->take_variant(std::move(found.values[i])); });
}

void RemotePrefetch::Item::take(std::string first, std::string note) {
  if (!note.empty()) adopt_note(own, wanted(), std::move(note));
  if (first.empty()) return;
  if (may_include) {
    variant = variant_here(own, wanted(), std::move(first));
  } else {
    adopt_code(own, wanted(), key.name, {}, std::move(first));
  }
}

void RemotePrefetch::Item::take_variant(std::string code) {
  if (!code.empty()) adopt_code(own, wanted(), variant->key, variant->dependencies, std::move(code));
}

}  // namespace kiln
