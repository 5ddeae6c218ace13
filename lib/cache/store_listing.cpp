// What is in a cache folder, and whether it is whole.
#include "base/files.hpp"
#include "cache/entry_content.hpp"
#include "cache/entry_path.hpp"
#include "cache/store.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <string_view>
#include <tuple>

#include <fcntl.h>

namespace kiln {

namespace {

/// The sections that describe an entry come first, and fit well into this.
constexpr std::size_t front_size = 4096;

std::chrono::system_clock::time_point time_of(std::int64_t ns) {
  return std::chrono::system_clock::time_point(
      std::chrono::duration_cast<std::chrono::system_clock::duration>(std::chrono::nanoseconds(ns)));
}

/// The front of a file, and its status. 0 or -errno.
int read_front(FileSystem& files, const std::string& path, std::string& front, FileStatus& status) {
  // O_NONBLOCK: a pipe of that name must not hold us.
  const int descriptor = files.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
  if (descriptor < 0) return descriptor;
  int code = files.status(descriptor, status);
  if (code == 0) code = read_part(files, descriptor, 0, front_size, front);
  files.close(descriptor);
  if (code != 0) front.clear();
  return code;
}

/// Fills in what the sections tell; false where the front shows damage.
bool describe(CacheEntry& entry, const Digest& key, std::string_view front) {
  const auto sections = decode_entry_front(EntryKind::code, key, front, entry.bytes);
  if (!sections) return false;
  for (const auto& [label, content] : *sections) {
    if (label == "name") entry.name = content;
    if (label == "target") entry.target = content;
    if (label == "arch") entry.arch = content;
  }
  return true;
}

}  // namespace

std::vector<CacheEntry> CacheStore::entries() {
  require_usable();
  std::vector<CacheEntry> entries;
  std::string front;
  const int code = folder_.for_each([&](EntryKind kind, const std::string& path) {
    if (kind != EntryKind::code) return;
    FileStatus status;
    const int failure = read_front(files_, path, front, status);
    if (failure == -ENOENT) return;  // removed since it was listed
    const Digest key = key_of_path(path);
    CacheEntry entry;
    entry.key = key.hex();
    entry.bytes = status.size;
    entry.last_used = time_of(status.mtime_ns);
    entry.damaged = failure != 0 || !describe(entry, key, front);
    entries.push_back(std::move(entry));
  });
  if (code != 0) fail("read the cache folder", directory(), code);
  std::sort(entries.begin(), entries.end(), [](const CacheEntry& a, const CacheEntry& b) {
    return std::tie(b.last_used, a.key) < std::tie(a.last_used, b.key);
  });
  return entries;
}

CacheCheck CacheStore::verify() {
  require_usable();
  CacheCheck check;
  const int code = folder_.for_each([&](EntryKind kind, const std::string& path) {
    const Digest key = key_of_path(path);
    Sections sections;
    ReadResult result = folder_.read(kind, key, sections);
    if (result == ReadResult::good && !makes_sense({kind, key}, sections)) {
      folder_.remove(kind, key);
      result = ReadResult::damaged;
    }
    counted(result);
    FileStatus ignored;
    if (result == ReadResult::good)
      ++check.good;
    else if (result == ReadResult::damaged)
      check.damaged.emplace_back(path);
    else if (files_.status(path, ignored) != -ENOENT)  // else removed since it was listed
      check.unreadable.emplace_back(path);
  });
  if (code != 0) fail("read the cache folder", directory(), code);
  statistics_.flush();
  return check;
}

}  // namespace kiln
