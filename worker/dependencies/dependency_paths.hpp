// Paths as compilers spell them: which of them can be dependencies, and how dependencies spell them.
#pragma once

#include "base/file_system.hpp"
#include "compile/headers/header_search_paths.hpp"
#include "worker/recording/file_record.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kiln {

/// Without "//", "/./" and a slash at the end. With `up` without ".." too, as if no link were among the folders.
std::string written_shorter(std::string_view path, bool up = false);

class DependencyPaths {
 public:
  DependencyPaths(FileSystem& files, const HeaderSearchPaths& search, const FileRecord& record);

  /// Whether the access has nothing to do with the request: the compiler's own files and those of the system, its
  /// temporary files, and the places where it looks for the source, which it was given.
  bool is_irrelevant(const FileQuestion& question) const;

  /// Of a normalized path: whether NVRTC accessed it by a relative name.
  bool is_from_working_folder(const std::string& path) const;

  /// One way to write what can be written in several: without "//" and "/./", and paths of the toolkit and the system
  /// without "..". Through links ".." leads elsewhere, so other paths keep theirs.
  std::string normalized(const std::string& path);

  /// By which paths a normalized one is to be looked for wherever the request is made; several if the compiler makes
  /// relative paths absolute, which hides the original, or follows links itself.
  std::vector<std::string> spellings(const std::string& path) const;

 private:
  std::vector<std::string> spellings_from_folder(const std::string& path) const;
  std::string as_spelled(std::string path) const;
  bool is_given(const std::string& path) const;
  bool is_same_folder(const std::string& a, const std::string& b);

  FileSystem& files_;
  const HeaderSearchPaths& search_;
  const std::string working_folder_root_;                   // the working folder, with which accesses from it begin
  std::vector<std::pair<std::string, std::string>> links_;  // folders of the toolkit: where they are, and as spelled
  std::vector<std::pair<std::string, std::string>> own_links_;  // the same of own folders
  const std::string temporary_folder_;
  const std::vector<std::string> program_folders_;  // where programs and libraries are looked for
  const bool asks_absolutely_;                      // also for what it looks for in the working folder
  std::unordered_map<std::string, bool> same_folders_;
};

}  // namespace kiln
