// A folder of a test's own.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include <stdlib.h>

namespace kiln::test {

/// A new, empty folder, removed with everything in it at the end of the scope. Its name holds a space and a letter
/// beyond ASCII, so that every test that uses one also tests such paths.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "kiln t\xc3\xa4st XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot create " + pattern);
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
    if (!ignored) return;
    // A test took the write permission of a folder away and failed before it gave it back.
    using std::filesystem::perms, std::filesystem::perm_options;
    for (std::filesystem::recursive_directory_iterator it(path_, ignored), end; !ignored && it != end;
         it.increment(ignored))
      if (it->is_directory(ignored) && !it->is_symlink(ignored))
        std::filesystem::permissions(it->path(), perms::owner_all, perm_options::add, ignored);
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }
  /// The path of something in the folder, which need not exist.
  std::filesystem::path operator/(const std::filesystem::path& relative) const { return path_ / relative; }

  /// Creates or replaces a file and the folders above it. Returns its path.
  std::filesystem::path write(const std::filesystem::path& relative, std::string_view bytes) const;
  std::string read(const std::filesystem::path& relative) const;

 private:
  std::filesystem::path path_;
};

/// Creates or replaces a file and the folders above it, or throws.
inline void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) throw std::runtime_error("cannot write " + path.string());
}

/// The bytes of a file, or throws. (Not named read_file: that is kiln's own.)
inline std::string file_bytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return std::string(std::istreambuf_iterator<char>(in), {});
}

inline std::filesystem::path ScratchFolder::write(const std::filesystem::path& relative, std::string_view bytes) const {
  write_file(path_ / relative, bytes);
  return path_ / relative;
}

inline std::string ScratchFolder::read(const std::filesystem::path& relative) const {
  return file_bytes(path_ / relative);
}

}  // namespace kiln::test
