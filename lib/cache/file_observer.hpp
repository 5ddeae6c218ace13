// What files look like during one look-up.
#pragma once

#include "base/digest.hpp"
#include "base/file_system.hpp"

#include <string>
#include <unordered_map>

namespace kiln {

/// Whether two looks saw the same state: inode, size, modification and change time. Not the device, whose number
/// differs between hosts and containers that share a file system.
bool same_state(const FileStatus& a, const FileStatus& b) noexcept;

/// Status and content of files, each asked for at most once where `remember` is set: worth its table where several
/// variants of a manifest name the same files. For one thread.
class FileObserver {
 public:
  FileObserver(FileSystem& files, bool remember) : files_(files), remember_(remember) {}

  /// As FileSystem::status.
  int status(const std::string& path, FileStatus& status);
  /// The digest of the content, and the state that it was read in, made unrecognisable where that is too young. 0 or
  /// -errno.
  int digest(const std::string& path, FileStatus& status, Digest& digest);
  /// A file that was changed a moment ago can change again without a trace, within one tick of the file system's
  /// clock. Such a state is altered so that it equals none, and the content is looked at again the next time.
  void distrust_if_young(FileStatus& status);

 private:
  struct Status {
    int code = 0;
    FileStatus status;
  };
  struct Content {
    int code = 0;
    FileStatus status;
    Digest digest;
  };
  Content read(const std::string& path);

  FileSystem& files_;
  const bool remember_;
  std::unordered_map<std::string, Status> statuses_;
  std::unordered_map<std::string, Content> contents_;
};

}  // namespace kiln
