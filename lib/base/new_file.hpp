// A file that is written aside and appears at once.
#pragma once

#include "base/file_system.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace kiln {

/// A file under a random name in `temporary_dir`, which publish() renames to what it is to be. Where
/// nothing was published, the end of this object removes it. Not to be shared between threads. Results are 0 or -errno.
class NewFile {
 public:
  /// `mode` is what the umask leaves of it.
  NewFile(FileSystem& files, const std::string& temporary_dir, unsigned mode = 0600);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// What came of making it.
  int error() const noexcept { return error_; }
  /// After a failure everything fails.
  int write(std::string_view bytes);
  /// fsync(2) of what was written.
  int sync();
  /// Closes, and renames to `path`, in the same file system.
  int publish(const std::string& path);

 private:
  int close();

  FileSystem& files_;
  std::string path_;
  int descriptor_ = -1;
  int error_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace kiln
