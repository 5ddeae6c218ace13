// The folder that one run of nvcc works in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A new folder of mode 0700 below TMPDIR, or /tmp; removed with all in it at the end, unless it is kept. Every
/// function throws Error that names the path, the reason and TMPDIR where the file system refuses.
class NvccFolder {
 public:
  NvccFolder();
  ~NvccFolder();
  NvccFolder(const NvccFolder&) = delete;
  NvccFolder& operator=(const NvccFolder&) = delete;

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
  std::string path_;
  bool kept_ = false;
};

}  // namespace kiln
