#include "cache/open_stores.hpp"

#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

namespace kiln {

namespace {

/// The folder, and where it is only read the trusted owners and keys.
using StoreKey = std::tuple<std::string, std::optional<std::vector<std::uint32_t>>, const PublicKeys*>;

// The stores are never destroyed either, because objects of static lifetime use them.
struct Registry {
  ForkSafeMutex mutex;
  std::map<StoreKey, CacheStore*> stores;
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

CacheStore& find_or_open(const StoreKey& key, Access access, const Trust& trust) {
  auto& known = fork_safe_instance<Registry>();
  {
    const std::lock_guard<ForkSafeMutex> lock(known.mutex);
    const auto found = known.stores.find(key);
    if (found != known.stores.end()) return *found->second;
  }
  // Made outside the lock, as ForkSafeMutex requires; of two threads that do so one throws its own away.
  auto made = std::make_unique<CacheStore>(FileSystem::real(), std::get<0>(key), access, trust);
  const std::lock_guard<ForkSafeMutex> lock(known.mutex);
  const auto [entry, added] = known.stores.emplace(key, made.get());
  if (added) (void)made.release();
  return *entry->second;
}

void write_all_counts() noexcept try {
  auto& known = fork_safe_instance<Registry>();
  std::vector<CacheStore*> stores;
  {
    const std::lock_guard<ForkSafeMutex> lock(known.mutex);
    for (const auto& store : known.stores) stores.push_back(store.second);
  }
  for (CacheStore* store : stores) store->folder().write_counts();
} catch (const std::exception&) {  // no memory
}

}  // namespace

CacheStore& open_store(const std::string& directory) {
  return find_or_open({normal_form(directory), std::nullopt, nullptr}, Access::read_write, {});
}

CacheStore& open_read_only_store(const std::string& directory, const Trust& trust) {
  return find_or_open({normal_form(directory), trust.owners, trust.keys}, Access::read_only, trust);
}

// A look-up in memory is too fast to write a file each time.
void count_memory_hit(CacheFolder& folder) {
  folder.count(Counter::memory_hits);
  static std::atomic<bool> is_registered{false};
  if (!is_registered.load(std::memory_order_relaxed) && !is_registered.exchange(true)) std::atexit(write_all_counts);
}

}  // namespace kiln
