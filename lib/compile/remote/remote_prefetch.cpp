#include "compile/remote/remote_prefetch.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace kiln {

namespace {

/// Without waiting: what another process has at hand is left to it.
bool is_locked_now(KeyLock& lock, CacheFolder& folder, const Digest& key) {
  if (folder.prepare() != 0) return false;
  const auto result = lock.lock(
      folder.lock_path(), key, [] { return true; }, [] {}, std::chrono::milliseconds(0));
  return result == KeyLock::Result::locked || result == KeyLock::Result::unavailable;
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

void RemotePrefetch::run() {
  std::list<Group> groups;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    groups.swap(groups_);
  }
  for (Group& group : groups) run(group);
}

void RemotePrefetch::run(Group& group) {
  std::erase_if(group.items, [](Item& item) { return !is_locked_now(item.lock, item.own.folder(), item.key.name); });
  std::vector<RemoteName> names;
  for (const Item& item : group.items) {
    names.push_back({item.wanted().first(), item.key.name});
    names.push_back({EntryKind::note, item.key.name});
  }
  if (names.empty()) return;
  RemoteFound found = group.calls.get(names, {});
  std::vector<Item*> with_variants;
  names.clear();
  std::size_t i = 0;
  for (Item& item : group.items) {
    std::string& first = found.values[i++];
    std::string& note = found.values[i++];
    if (!note.empty()) adopt_note(item.own, item.wanted(), std::move(note));
    if (first.empty()) continue;
    if (!item.may_include) {
      adopt_code(item.own, item.wanted(), item.key.name, {}, std::move(first));
    } else if ((item.variant = variant_here(item.own, item.wanted(), std::move(first)))) {
      with_variants.push_back(&item);
      names.push_back({EntryKind::code, item.variant->key});
    }
  }
  if (names.empty()) return;
  found = group.calls.get(names, {});
  for (i = 0; i < with_variants.size(); ++i) {
    Item& item = *with_variants[i];
    if (!found.values[i].empty())
      adopt_code(item.own, item.wanted(), item.variant->key, item.variant->dependencies, std::move(found.values[i]));
  }
}

}  // namespace kiln
