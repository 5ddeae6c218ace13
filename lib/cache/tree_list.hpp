// The list of what is in a tree (kept_tree.hpp): the bytes of its one section, "files".
//
//   u32 count | for each file, in the order of their paths: u32 path length | path | u64 size | digest, 32 bytes
#pragma once

#include "base/digest.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

struct TreeFile {
  std::uint64_t size = 0;  // in bytes
  Digest digest;
  bool operator==(const TreeFile&) const = default;
};
using TreeFiles = std::map<std::string, TreeFile>;  // by the path below the tree

std::string encode_tree_list(const TreeFiles& files);
/// Nothing where the bytes are not what encode_tree_list() makes.
std::optional<TreeFiles> decode_tree_list(std::string_view bytes);

}  // namespace kiln
