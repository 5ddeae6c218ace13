#include "cache/dependency_codec.hpp"

#include "cache/byte_io.hpp"

#include <limits>
#include <utility>

namespace kiln {

namespace {

enum class ItemKind : unsigned char { file = 1, folder = 2, absent = 3, absolute_path = 4, obstacle = 5 };

std::string start_item(ItemKind kind, const RootedPath& path) {
  std::string item;
  item.reserve(80 + path.path.size());
  item.push_back(static_cast<char>(kind));
  append_integer(item, static_cast<std::uint32_t>(path.root) + 1);
  append_integer(item, static_cast<std::uint32_t>(path.path.size()));
  item.append(path.path);
  return item;
}

/// Of a file or a folder.
template <class Dependency>
void append_state(std::string& item, const Dependency& dependency) {
  const FileStatus& status = dependency.status;
  for (const std::uint64_t value : status.state()) append_integer(item, value);
  item.push_back(dependency.reliable_times ? 1 : 0);
}

/// False where it is malformed.
template <class Dependency>
bool read_state(ByteReader& reader, Dependency& dependency) {
  FileStatus& status = dependency.status;
  status.device = reader.integer<std::uint64_t>();
  status.inode = reader.integer<std::uint64_t>();
  status.size = reader.integer<std::uint64_t>();
  status.mtime_ns = static_cast<std::int64_t>(reader.integer<std::uint64_t>());
  status.ctime_ns = static_cast<std::int64_t>(reader.integer<std::uint64_t>());
  const auto reliable = reader.integer<std::uint8_t>();
  dependency.reliable_times = reliable == 1;
  return reliable <= 1;
}

}  // namespace

std::vector<std::string> encode_items(const Dependencies& dependencies) {
  std::vector<std::string> items;
  items.reserve(dependencies.files.size() + dependencies.folders.size() + dependencies.absent.size() +
                dependencies.obstacles.size() + dependencies.absolute_paths.size());
  for (const FileDependency& file : dependencies.files) {
    items.push_back(start_item(ItemKind::file, file.path));
    append_state(items.back(), file);
    items.back().append(file.digest.view());
  }
  for (const FolderDependency& folder : dependencies.folders) {
    items.push_back(start_item(ItemKind::folder, folder.path));
    append_state(items.back(), folder);
  }
  for (const RootedPath& absent : dependencies.absent) items.push_back(start_item(ItemKind::absent, absent));
  for (const ObstacleDependency& obstacle : dependencies.obstacles) {
    items.push_back(start_item(ItemKind::obstacle, obstacle.path));
    items.back().push_back(static_cast<char>(obstacle.kind));
  }
  for (const AbsolutePathDependency& dependency : dependencies.absolute_paths)
    items.push_back(start_item(ItemKind::absolute_path, {dependency.root, dependency.path}));
  return items;
}

bool decode_item(std::string_view item, Dependencies& dependencies) {
  ByteReader reader(item);
  const auto kind = static_cast<ItemKind>(reader.integer<std::uint8_t>());
  RootedPath path;
  path.root = static_cast<int>(reader.integer<std::uint32_t>() - 1);
  if (path.root < -1) return false;
  path.path = reader.bytes(reader.integer<std::uint32_t>());
  switch (kind) {
    case ItemKind::file: {
      FileDependency file{std::move(path), {}, {}};
      if (!read_state(reader, file)) return false;
      file.digest = reader.digest();
      dependencies.files.push_back(std::move(file));
      break;
    }
    case ItemKind::folder: {
      FolderDependency folder{std::move(path), {}, {}};
      if (!read_state(reader, folder)) return false;
      dependencies.folders.push_back(std::move(folder));
      break;
    }
    case ItemKind::absent:
      dependencies.absent.push_back(std::move(path));
      break;
    case ItemKind::obstacle: {
      const auto found = static_cast<ObstacleDependency::Kind>(reader.integer<std::uint8_t>());
      if (found < ObstacleDependency::Kind::folder || found > ObstacleDependency::Kind::unreadable) return false;
      dependencies.obstacles.push_back({std::move(path), found});
      break;
    }
    case ItemKind::absolute_path:
      if (path.root < 0) return false;
      dependencies.absolute_paths.push_back({path.root, std::move(path.path)});
      break;
    default:
      return false;
  }
  return reader.finished();
}

void distrust_item(std::string& item) {
  Dependencies one;
  if (!decode_item(item, one)) return;
  // No file has the number 0, and none was changed before there were clocks.
  const auto alter = [](FileStatus& status) {
    status.inode = 0;
    status.ctime_ns = std::numeric_limits<std::int64_t>::min();
  };
  for (FileDependency& file : one.files) alter(file.status);
  for (FolderDependency& folder : one.folders) alter(folder.status);
  item = encode_items(one).front();
}

std::string encode_header_lists(const Dependencies& dependencies) {
  std::string bytes;
  bool any = false;
  for (const FolderDependency& folder : dependencies.folders) {
    append_integer(bytes, static_cast<std::uint32_t>(folder.headers.size()));
    for (const FolderDependency::Header& header : folder.headers) {
      append_integer(bytes, static_cast<std::uint32_t>(header.name.size()));
      bytes.append(header.name).append(header.digest.view());
      any = true;
    }
  }
  return any ? bytes : std::string();
}

bool decode_header_lists(std::string_view bytes, Dependencies& dependencies) {
  std::vector<std::vector<FolderDependency::Header>> lists(dependencies.folders.size());
  ByteReader reader(bytes);
  for (auto& list : lists) {
    const auto count = reader.integer<std::uint32_t>();
    for (std::uint32_t i = 0; i < count && !reader.failed(); ++i) {
      std::string name(reader.bytes(reader.integer<std::uint32_t>()));
      list.push_back({std::move(name), reader.digest()});
    }
  }
  if (!reader.finished()) return false;
  for (std::size_t i = 0; i < lists.size(); ++i) dependencies.folders[i].headers = std::move(lists[i]);
  dependencies.headers_known = true;
  return true;
}

}  // namespace kiln
