// Driver handles. A number is never used twice, so that a handle of a destroyed object is recognised as stale.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

namespace kiln::emulator {

/// A number that no handle has had before. Looks like an aligned address.
std::uint64_t new_handle_number() noexcept;

/// Handle is the driver's pointer type, such as CUevent. Thread-safe.
template <class Handle, class Object>
class HandleTable {
 public:
  /// One table for the process. Never destroyed: destructors of static objects may still call the driver.
  static HandleTable& get() {
    static HandleTable& table = *new HandleTable;
    return table;
  }

  Handle add(std::shared_ptr<Object> object) {
    const auto handle = reinterpret_cast<Handle>(new_handle_number());
    const std::unique_lock lock(mutex_);
    objects_.emplace(handle, std::move(object));
    return handle;
  }
  /// Null for an unknown handle.
  std::shared_ptr<Object> find(Handle handle) const {
    const std::shared_lock lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }
  std::shared_ptr<Object> take(Handle handle) {
    const std::unique_lock lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return nullptr;
    std::shared_ptr<Object> object = std::move(found->second);
    objects_.erase(found);
    return object;
  }
  std::vector<std::shared_ptr<Object>> all() const {
    std::vector<std::shared_ptr<Object>> found;
    const std::shared_lock lock(mutex_);
    for (const auto& [handle, object] : objects_) found.push_back(object);
    return found;
  }
  /// Removes and returns all objects for which `is_one(object)` holds.
  template <class Predicate>
  std::vector<std::shared_ptr<Object>> take_all(Predicate is_one) {
    std::vector<std::shared_ptr<Object>> taken;
    const std::unique_lock lock(mutex_);
    for (auto at = objects_.begin(); at != objects_.end();) {
      if (!is_one(*at->second)) {
        ++at;
        continue;
      }
      taken.push_back(std::move(at->second));
      at = objects_.erase(at);
    }
    return taken;
  }

 private:
  HandleTable() = default;
  mutable std::shared_mutex mutex_;
  std::unordered_map<Handle, std::shared_ptr<Object>> objects_;
};

}  // namespace kiln::emulator
