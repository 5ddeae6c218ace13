// A folder's content, to be compared, damaged and put back.
#pragma once

#include "scratch_folder.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace kiln::test {

/// The bytes of each file by its relative path; where a link leads to; nothing for a folder.
using FileTree = std::map<std::string, std::optional<std::string>>;

inline FileTree read_tree(const std::filesystem::path& root) {
  FileTree tree;
  if (!std::filesystem::exists(root)) return tree;
  for (const auto& item : std::filesystem::recursive_directory_iterator(root)) {
    auto& place = tree[item.path().lexically_relative(root).string()];
    if (item.is_symlink()) {
      place = "-> " + std::filesystem::read_symlink(item.path()).string();
    } else if (item.is_regular_file()) {
      place = file_bytes(item.path());
    }
  }
  return tree;
}

/// Makes the folder hold just those files and folders; an empty tree is no folder.
inline void write_tree(const std::filesystem::path& root, const FileTree& tree) {
  std::filesystem::remove_all(root);
  if (!tree.empty()) std::filesystem::create_directories(root);
  for (const auto& [name, bytes] : tree) {
    if (bytes) {
      write_file(root / name, *bytes);
    } else {
      std::filesystem::create_directories(root / name);
    }
  }
}

}  // namespace kiln::test
