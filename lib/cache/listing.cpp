#include "cache/listing.hpp"

#include "base/files.hpp"
#include "cache/entry_content.hpp"
#include "cache/kept_tree.hpp"
#include "cache/remote/remote_counters.hpp"

#include <kiln/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <string_view>
#include <tuple>

#include <fcntl.h>

namespace kiln {

namespace {

std::chrono::system_clock::time_point time_of(std::int64_t ns) {
  return std::chrono::system_clock::time_point(
      std::chrono::duration_cast<std::chrono::system_clock::duration>(std::chrono::nanoseconds(ns)));
}

/// The front of a file, and its status. 0 or -errno.
int read_front(FileSystem& files, const std::string& path, std::string& front, FileStatus& status) {
  // O_NONBLOCK: opening a pipe of that name must not block.
  const int descriptor = files.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
  if (descriptor < 0) return descriptor;
  int code = files.status(descriptor, status);
  if (code == 0) code = read_part(files, descriptor, 0, entry_front_size, front);
  files.close(descriptor);
  if (code != 0) front.clear();
  return code;
}

/// Nothing where the file is not there, or no more.
std::optional<CacheEntry> entry_at(FileSystem& files, const std::string& path) {
  FileStatus status;
  std::string front;
  const int failure = read_front(files, path, front, status);
  if (failure == -ENOENT) return std::nullopt;
  const Digest key = CacheFolder::key_of_path(path);
  CacheEntry entry;
  entry.key = key.hex();
  entry.bytes = status.size;
  entry.last_used = time_of(status.mtime_ns);
  entry.damaged = failure != 0 || !describe_entry(entry, key, front);
  return entry;
}

}  // namespace

// The sections that describe an entry come first.
bool describe_entry(CacheEntry& entry, const Digest& key, std::string_view front) {
  const auto sections = decode_entry_front(EntryKind::code, key, front, entry.bytes);
  if (!sections) return false;
  for (const auto& [label, content] : *sections) {
    if (label == "name") entry.name = content;
    if (label == "target") entry.target = content;
    if (label == "arch") entry.arch = content;
  }
  return true;
}

CacheStats folder_stats(CacheFolder& folder) {
  folder.require_usable();
  folder.write_counts();
  const Statistics::Counts counts = folder.statistics().totals();
  const auto value = [&counts](Counter counter) { return counts[static_cast<std::size_t>(counter)]; };
  CacheStats stats;
  stats.hits = value(Counter::hits);
  stats.memory_hits = value(Counter::memory_hits);
  stats.misses = value(Counter::misses);
  stats.compiles = value(Counter::compiles);
  stats.stores = value(Counter::stores);
  stats.store_failures = value(Counter::store_failures);
  stats.corrupt = value(Counter::corrupt);
  stats.waits = value(Counter::waits);
  stats.evictions = value(Counter::evictions);
  stats.refused = value(Counter::refused);
  stats.refused_time = value(Counter::refused_time);
  stats.refused_option = value(Counter::refused_option);
  stats.refused_unknown_headers = value(Counter::refused_unknown_headers);
  stats.refused_young_header = value(Counter::refused_young_header);
  stats.refused_untrusted = value(Counter::refused_untrusted);
  stats.refused_no_worker = value(Counter::refused_no_worker);
  const int code = folder.for_each([&](EntryKind kind, const std::string& path) {
    FileStatus status;
    if (folder.file_status(path, status) != 0) return;  // removed since it was listed, or not ours
    if (kind == EntryKind::code) ++stats.entries;
    stats.bytes += status.size;
  });
  if (code != 0) throw_cache_error("read the cache folder", folder.root(), code);
  stats.headers_unpacked = value(Counter::trees_made);
  const TreeSizes headers = tree_sizes(folder);
  stats.header_folders = headers.trees;
  stats.header_bytes = headers.bytes;
  stats.remotes = remote_stats(folder.files(), folder.remotes_dir());
  return stats;
}

void reset_folder_stats(CacheFolder& folder) {
  folder.require_usable();
  if (folder.statistics().reset() && reset_remote_stats(folder.files(), folder.remotes_dir())) return;
  throw Error("cannot reset the counters of the cache folder " + folder.root() +
              ": their file cannot be written, or other processes write it all the time. Check its permissions, or try "
              "again");
}

std::vector<CacheEntry> list_entries(CacheFolder& folder) {
  folder.require_usable();
  std::vector<CacheEntry> entries;
  const int code = folder.for_each([&](EntryKind kind, const std::string& path) {
    if (kind != EntryKind::code) return;
    if (auto entry = entry_at(folder.files(), path)) entries.push_back(*std::move(entry));
  });
  if (code != 0) throw_cache_error("read the cache folder", folder.root(), code);
  std::sort(entries.begin(), entries.end(), [](const CacheEntry& a, const CacheEntry& b) {
    return std::tie(b.last_used, a.key) < std::tie(a.last_used, b.key);
  });
  return entries;
}

std::optional<CacheEntry> find_entry(CacheFolder& folder, const Digest& key) {
  return entry_at(folder.files(), folder.path(EntryKind::code, key));
}

namespace {

int verify_trees(CacheFolder& folder, CacheCheck& check) {
  return for_each_tree(folder, [&](const Digest& key) {
    KeptTree tree(folder, key);
    if (tree.is_whole()) {
      ++check.good;
      return;
    }
    folder.count(Counter::corrupt);
    tree.remove();
    check.damaged.emplace_back(tree.path());
  });
}

}  // namespace

CacheCheck verify_entries(CacheFolder& folder) {
  folder.require_usable();
  CacheCheck check;
  int code = folder.for_each([&](EntryKind kind, const std::string& path) {
    const Digest key = CacheFolder::key_of_path(path);
    Sections sections;
    FileStatus status;
    CacheFolder::ReadResult result = folder.read(kind, key, sections, &status);
    if (result == CacheFolder::ReadResult::good && !makes_sense({kind, key}, sections)) {
      folder.remove_malformed(kind, key);
      result = CacheFolder::ReadResult::damaged;
    }
    if (result == CacheFolder::ReadResult::good)
      ++check.good;
    else if (result == CacheFolder::ReadResult::damaged)
      check.damaged.emplace_back(path);
    else if (result == CacheFolder::ReadResult::untrusted)
      check.untrusted.push_back({path, folder.objection(status)});
    else if (folder.files().status(path, status) != -ENOENT)  // else removed since it was listed
      check.unreadable.emplace_back(path);
  });
  if (code == 0) code = verify_trees(folder, check);
  if (code != 0) throw_cache_error("read the cache folder", folder.root(), code);
  folder.write_counts();
  return check;
}

}  // namespace kiln
