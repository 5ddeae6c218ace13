// The folder of one compile: nvcc works in it, and what is kept of a compile is there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A new folder kiln-<compiler>-<random>, of mode 0700, below TMPDIR, or /tmp; removed with all in it at the end,
/// unless it is kept. Every function throws Error that names the path, the reason and TMPDIR where the file system
/// refuses.
class WorkFolder {
 public:
  explicit WorkFolder(std::string compiler);
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const std::string& path() const noexcept { return path_; }
  void keep() noexcept { kept_ = true; }

  /// A file, and the folders above it; by its name in this folder.
  void write(const std::string& name, std::string_view bytes) const;
  void make_folder(const std::string& name) const;
  /// Empty where there is no such file.
  std::string read(const std::string& name) const;
  /// The names of files in a folder of this one that end so, sorted.
  std::vector<std::string> names(const std::string& folder, std::string_view ending) const;

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& path, int error) const;

  std::string compiler_;
  std::string path_;
  bool kept_ = false;
};

}  // namespace kiln
