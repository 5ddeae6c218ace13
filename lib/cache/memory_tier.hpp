// The in-memory cache: values by the canonical bytes of the request that made them.
#pragma once

#include "base/checksum.hpp"
#include "base/fork_safe_mutex.hpp"

#include <cstddef>
#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace kiln {

/// A map that evicts the least recently used items where all have more bytes than a budget. Keys are compared
/// completely, so two requests never share a value by accident. Thread-safe, also across fork. Values are destroyed
/// outside its lock. One of static lifetime must be leaked, as other objects of static lifetime may use it while they
/// are destroyed.
template <class Value>
class MemoryTier {
 public:
  explicit MemoryTier(std::size_t budget) : budget_(budget) {}
  MemoryTier(const MemoryTier&) = delete;
  MemoryTier& operator=(const MemoryTier&) = delete;

  /// For what is inserted from now on.
  void set_budget(std::size_t budget) {
    std::lock_guard<ForkSafeMutex> lock(mutex_);
    budget_ = budget;
  }

  /// The value of that key, or null. Allocates nothing.
  std::shared_ptr<Value> find(std::string_view key) {
    std::lock_guard<ForkSafeMutex> lock(mutex_);
    auto found = index_.find(key);
    if (found == index_.end()) return nullptr;
    items_.splice(items_.begin(), items_, found->second);
    return found->second->value;
  }

  /// Calls `visit` with each value, under the lock: it must not use this cache.
  template <class Visit>
  void for_each(const Visit& visit) {
    std::lock_guard<ForkSafeMutex> lock(mutex_);
    for (const Item& item : items_) visit(*item.value);
  }

  /// Drops the values for which `is_gone`, which is called under the lock: it must not use this cache.
  template <class IsGone>
  void remove_if(const IsGone& is_gone) {
    Items dropped;
    std::lock_guard<ForkSafeMutex> lock(mutex_);
    for (auto item = items_.begin(); item != items_.end();) {
      const auto next = std::next(item);
      if (is_gone(*item->value)) take(item->key, dropped);
      item = next;
    }
  }

  /// Stores the value, replacing an earlier one of that key. An item larger than the budget is not stored.
  void insert(std::string key, std::shared_ptr<Value> value, std::size_t bytes) {
    Items dropped;
    Items added;
    added.push_back({std::move(key), std::move(value), bytes});
    std::lock_guard<ForkSafeMutex> lock(mutex_);
    take(added.front().key, dropped);
    if (bytes > budget_) return;
    index_.emplace(added.front().key, added.begin());  // may throw, so first
    items_.splice(items_.begin(), added);
    bytes_ += bytes;
    while (bytes_ > budget_) take(items_.back().key, dropped);
  }

 private:
  struct Item {
    std::string key;
    std::shared_ptr<Value> value;
    std::size_t bytes;
  };
  using Items = std::list<Item>;
  struct Hash {
    // Several times as fast as std::hash on keys of some kilobytes.
    std::size_t operator()(std::string_view key) const noexcept { return static_cast<std::size_t>(fast_hash(key)); }
  };

  // Moves the item of that key, if there is one, to `dropped`, which the caller destroys after it unlocks.
  void take(std::string_view key, Items& dropped) {
    auto found = index_.find(key);
    if (found == index_.end()) return;
    auto item = found->second;
    index_.erase(found);
    bytes_ -= item->bytes;
    dropped.splice(dropped.end(), items_, item);
  }

  ForkSafeMutex mutex_;
  std::size_t budget_;
  std::size_t bytes_ = 0;
  Items items_;                                                                 // most recently used first
  std::unordered_map<std::string_view, typename Items::iterator, Hash> index_;  // views of the items' keys
};

}  // namespace kiln
