#include "cache/eviction.hpp"

#include <algorithm>
#include <cerrno>
#include <string>
#include <tuple>
#include <vector>

namespace kiln {

namespace {

struct Item {
  EntryKind kind;
  std::string path;
  FileStatus status;
};

int list(const CacheFolder& folder, std::vector<Item>& items) {
  return folder.for_each([&](EntryKind kind, const std::string& path) {
    FileStatus status;
    if (folder.file_status(path, status) == 0) items.push_back({kind, path, status});
  });
}

}  // namespace

Eviction evict(const CacheFolder& folder, std::uint64_t limit, std::uint64_t target) {
  std::vector<Item> items;
  Eviction done;
  done.code = list(folder, items);
  for (const Item& item : items) done.left += item.status.size;
  if (done.left <= limit) return done;
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    return std::tie(a.status.mtime_ns, a.path) < std::tie(b.status.mtime_ns, b.path);
  });
  for (const Item& item : items) {
    if (done.left <= target) break;
    FileStatus now;
    const int looked = folder.file_status(item.path, now);
    if (looked == 0 && !same_file(now, item.status)) continue;
    const int removed = looked == 0 ? folder.discard(item.path) : looked;
    if (removed != 0 && removed != -ENOENT && removed != -ESTALE) continue;
    done.left -= item.status.size;
    if (removed != 0) continue;  // by another
    done.freed += item.status.size;
    if (item.kind == EntryKind::code) ++done.entries;
  }
  return done;
}

}  // namespace kiln
