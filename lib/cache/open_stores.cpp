#include "cache/open_stores.hpp"

#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kiln {

namespace {

// The stores are never destroyed either, because objects of static lifetime use them.
struct Registry {
  ForkSafeMutex mutex;
  std::unordered_map<std::string, CacheStore*> stores;  // by each spelling that was asked for
  std::map<std::pair<std::string, std::vector<std::uint32_t>>, CacheStore*> read_only;
};

std::string normal_form(const std::string& directory) {
  const bool plain = directory.substr(0, 1) == "/" && directory.back() != '/' &&
                     directory.find("/.") == std::string::npos && directory.find("//") == std::string::npos;
  if (plain) return directory;
  std::error_code failed;
  const std::filesystem::path absolute = std::filesystem::absolute(directory, failed);
  std::string text = (failed ? std::filesystem::path(directory) : absolute).lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

}  // namespace

CacheStore& open_store(const std::string& directory) {
  auto& known = fork_safe_instance<Registry>();
  const bool stable = directory.substr(0, 1) == "/";  // what a relative one means changes with the working folder
  if (stable) {
    std::lock_guard<ForkSafeMutex> lock(known.mutex);
    const auto found = known.stores.find(directory);
    if (found != known.stores.end()) return *found->second;
  }
  const std::string root = normal_form(directory);
  // Made outside the lock, as ForkSafeMutex asks; of two threads that do so one throws its own away.
  auto made = std::make_unique<CacheStore>(FileSystem::real(), root);
  std::lock_guard<ForkSafeMutex> lock(known.mutex);
  const auto [entry, added] = known.stores.emplace(root, made.get());
  if (added) (void)made.release();
  CacheStore& store = *entry->second;
  if (stable) known.stores.emplace(directory, &store);
  return store;
}

CacheStore& open_read_only_store(const std::string& directory, const Trust& trust) {
  auto& known = fork_safe_instance<Registry>();
  const std::string root = normal_form(directory);  // a relative one means another after a change of working folder
  const std::pair key(root, trust.owners);
  {
    std::lock_guard<ForkSafeMutex> lock(known.mutex);
    const auto found = known.read_only.find(key);
    if (found != known.read_only.end()) return *found->second;
  }
  auto made = std::make_unique<CacheStore>(FileSystem::real(), root, Access::read_only, trust);
  std::lock_guard<ForkSafeMutex> lock(known.mutex);
  const auto [entry, added] = known.read_only.emplace(key, made.get());
  if (added) (void)made.release();
  return *entry->second;
}

}  // namespace kiln
