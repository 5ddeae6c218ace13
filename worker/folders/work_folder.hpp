// The folder of one compile: nvcc works in it, and the option `keep` keeps its files. Folders are made, listed and
// removed by Boost.Filesystem.
#pragma once

#include "base/temporary_folder.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A TemporaryFolder below TMPDIR, or /tmp; one that is kept is kiln-<compiler>-<random>, of mode 0700, too. Every
/// function throws Error that names the path, the reason and TMPDIR where the file system fails.
class WorkFolder {
 public:
  explicit WorkFolder(std::string compiler, bool kept = false);
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const std::string& path() const noexcept { return path_; }

  /// A file, and the folders above it; by its name in this folder.
  void write(const std::string& name, std::string_view bytes) const;
  void make_folder(const std::string& name) const;
  /// Empty where there is no file of that name.
  std::string read(const std::string& name) const;
  /// The names of files in a folder of this one that end so, sorted.
  std::vector<std::string> names(const std::string& folder, std::string_view ending) const;

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& path, const std::string& reason) const;

  std::string compiler_;
  std::optional<TemporaryFolder> temporary_;
  std::string path_;
};

/// Folders that are kept go there from now on, and not below TMPDIR: for a process that works for another, and whose
/// own folder for temporary files ends with it.
void keep_folders_below(std::string folder);
/// Called with each when it is made, so that the other process can name the folder even if this one crashes.
void report_kept_folders(std::function<void(const std::string& path)> report);

/// Where a folder is, whatever links lead to it; empty where there is none.
std::string real_folder(const std::string& path);

}  // namespace kiln
