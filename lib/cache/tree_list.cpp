#include "cache/tree_list.hpp"

#include "cache/byte_io.hpp"

#include <utility>

namespace kiln {

std::string encode_tree_list(const TreeFiles& files) {
  std::string bytes;
  append_integer(bytes, static_cast<std::uint32_t>(files.size()));
  for (const auto& [path, file] : files) {
    append_integer(bytes, static_cast<std::uint32_t>(path.size()));
    bytes += path;
    append_integer(bytes, file.size);
    bytes += file.digest.view();
  }
  return bytes;
}

std::optional<TreeFiles> decode_tree_list(std::string_view bytes) {
  ByteReader in(bytes);
  TreeFiles files;
  for (auto left = in.integer<std::uint32_t>(); left > 0 && !in.failed(); --left) {
    std::string path(in.bytes(in.integer<std::uint32_t>()));
    const auto size = in.integer<std::uint64_t>();
    if (!files.empty() && path <= files.rbegin()->first) return std::nullopt;
    files.emplace_hint(files.end(), std::move(path), TreeFile{size, in.digest()});
  }
  return in.finished() ? std::optional<TreeFiles>(std::move(files)) : std::nullopt;
}

}  // namespace kiln
