// What files look like during one look-up.
#pragma once

#include "base/digest.hpp"
#include "base/file_system.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kiln {

/// Whether two looks saw the same state: device, inode, size, modification and change time.
bool same_state(const FileStatus& a, const FileStatus& b) noexcept;
/// The same without the device, whose number differs between hosts and containers that share a file system.
bool same_but_for_device(const FileStatus& a, const FileStatus& b) noexcept;

/// Whether the change time is in whole seconds, as squashfs and Lustre keep it. In an image it is the modification
/// time, which reproducible builds fix, and its inodes are counted: the next image's file can be in the same state with
/// another content of that size.
bool has_coarse_times(const FileStatus& status) noexcept;

/// Whether a file in that state may yet be changed at `now_ns` without a trace, within one tick of the clock that its
/// times are from.
bool is_young(const FileStatus& status, std::int64_t now_ns) noexcept;

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
  /// Whether a regular file can be opened for reading. Tried each time.
  bool is_readable(const std::string& path);
  /// The state of a young file is altered so that it equals none, and the content is looked at again the next time.
  void distrust_if_young(FileStatus& status);
  /// Whether another file at that path would be in another state: false where times are coarse, and where the change
  /// time is the modification time because the file system keeps no other (images such as erofs).
  bool times_tell(const std::string& path, const FileStatus& status);

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
  std::vector<std::pair<std::uint64_t, bool>> change_times_;  // by device: whether it keeps them
};

}  // namespace kiln
