#include "cache/cache_folder.hpp"

#include "base/files.hpp"
#include "base/log.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>

namespace kiln {

namespace {

constexpr std::uint64_t max_entry_size = std::uint64_t{2} << 30;
constexpr std::int64_t hour_ns = 3'600'000'000'000;
constexpr std::string_view temporary_suffix = ".tmp";

constexpr std::array<std::pair<EntryKind, std::string_view>, 3> kinds = {{
    {EntryKind::code, ".code"},
    {EntryKind::manifest, ".manifest"},
    {EntryKind::headers, ".headers"},
}};

bool is_hexadecimal(std::string_view text) { return text.find_first_not_of("0123456789abcdef") == text.npos; }

std::optional<EntryKind> kind_of(std::string_view name) {
  constexpr std::size_t stem = 62;
  if (name.size() <= stem || !is_hexadecimal(name.substr(0, stem))) return std::nullopt;
  for (const auto& kind : kinds)
    if (name.substr(stem) == kind.second) return kind.first;
  return std::nullopt;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

CacheFolder::CacheFolder(FileSystem& files, std::string root)
    : files_(files), root_(std::move(root)), version_(root_ + "/v1") {}

std::string CacheFolder::path(EntryKind kind, const Digest& key) const {
  const std::string hex = key.hex();
  std::string path;
  path.reserve(version_.size() + 96);
  path.append(version_).append("/entries/").append(hex, 0, 2).append("/").append(hex, 2);
  for (const auto& known : kinds)
    if (known.first == kind) path.append(known.second);
  return path;
}

CacheFolder::ReadResult CacheFolder::read(EntryKind kind, const Digest& key, Sections& sections) const {
  const std::string file = path(kind, key);
  std::string bytes;
  FileStatus status;
  // O_NONBLOCK: a pipe of that name must not hold us.
  const int code = read_file(files_, file, bytes, status, {O_NOFOLLOW | O_NONBLOCK, max_entry_size});
  if (code != 0 && code != -EFBIG) return ReadResult::missing;
  std::optional<Sections> decoded;
  if (code == 0) decoded = decode_entry(kind, key, std::move(bytes));
  if (!decoded) {
    remove_unless_replaced(file, status);
    return ReadResult::damaged;
  }
  sections = std::move(*decoded);
  return ReadResult::good;
}

void CacheFolder::remove_unless_replaced(const std::string& path, const FileStatus& damaged) const {
  if (log_enabled(LogLevel::info)) log_message(LogLevel::info, "dropping the damaged cache file " + path);
  FileStatus now;
  if (files_.status(path, now) == 0 && now.inode == damaged.inode && now.mtime_ns == damaged.mtime_ns &&
      now.size == damaged.size)
    files_.remove(path);
}

int CacheFolder::publish(EntryKind kind, const Digest& key, const Sections& sections) const {
  const std::string file = path(kind, key);
  const std::string bytes = encode_entry(kind, key, sections);
  const int code = make_folders(file.substr(0, file.rfind('/')));
  return code == 0 ? publish_file(files_, temporary_dir(), file, bytes) : code;
}

int CacheFolder::make_folders(const std::string& shard) const {
  int code = make_directories(files_, temporary_dir());
  if (code == 0) code = make_directories(files_, shard);
  FileStatus ignored;
  const std::string tag = root_ + "/CACHEDIR.TAG";
  // The first line is the one that https://bford.info/cachedir/ asks for. A cache without the tag is a good cache.
  if (code == 0 && files_.status(tag, ignored) == -ENOENT)
    publish_file(files_, temporary_dir(), tag,
                 "Signature: 8a477f597d28d172789f06886806bc55\n# Compiled CUDA code, kept by Kiln. May be deleted.\n");
  return code;
}

int CacheFolder::remove(EntryKind kind, const Digest& key) const { return files_.remove(path(kind, key)); }

bool CacheFolder::holds(EntryKind kind, const Digest& key) const {
  FileStatus ignored;
  return files_.status(path(kind, key), ignored) == 0;
}

int CacheFolder::for_each(const std::function<void(EntryKind, const std::string&)>& visit) const {
  const std::string entries = version_ + "/entries";
  std::vector<std::string> shards;
  int code = files_.list(entries, shards);
  if (code != 0) return code == -ENOENT ? 0 : code;
  std::sort(shards.begin(), shards.end());
  for (const std::string& shard : shards) {
    if (shard.size() != 2 || !is_hexadecimal(shard)) continue;
    std::vector<std::string> names;
    const std::string folder = std::string(entries).append("/").append(shard);
    const int listed = files_.list(folder, names);
    if (listed != 0 && listed != -ENOENT && code == 0) code = listed;
    for (const std::string& name : names)
      if (const auto kind = kind_of(name)) visit(*kind, std::string(folder).append("/").append(name));
  }
  return code;
}

void CacheFolder::sweep() const {
  const std::string stamp = version_ + "/swept";
  const std::int64_t now = files_.now_ns();
  FileStatus status;
  const int code = files_.status(stamp, status);
  if (code != -ENOENT && (code != 0 || now - status.mtime_ns < 24 * hour_ns)) return;
  // The stamp first: of many ranks that start together, few sweep.
  if (publish_file(files_, temporary_dir(), stamp, {}) != 0) return;
  std::vector<std::string> names;
  if (files_.list(temporary_dir(), names) != 0) return;
  for (const std::string& name : names) {
    const std::string path = temporary_dir() + "/" + name;
    if (ends_with(name, temporary_suffix) && files_.status(path, status) == 0 && now - status.mtime_ns >= hour_ns)
      files_.remove(path);
  }
}

}  // namespace kiln
