// The states and contents of files during one look-up.
#pragma once

#include "base/digest.hpp"
#include "base/file_system.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kiln {

/// Whether two states are the same: device, inode, size, modification and change time.
bool same_state(const FileStatus& a, const FileStatus& b) noexcept;
/// The same without the device, whose number differs between hosts and containers that share a file system.
bool same_but_for_device(const FileStatus& a, const FileStatus& b) noexcept;

/// Whether the change time is in whole seconds, as squashfs and Lustre keep it. In an image it is the modification
/// time, which reproducible builds fix, and inodes are numbered in order: a file of the next image can have the same
/// state with another content of that size.
bool has_coarse_times(const FileStatus& status) noexcept;

/// Whether a file in that state may still be changed after `now_ns` without a change of its times, within one tick of
/// the file system's clock.
bool is_young(const FileStatus& status, std::int64_t now_ns) noexcept;

class DigestMemory;

/// Status and content of files. Where `remember` is set each is read at most once, which is worth its table where
/// several variants of a manifest name the same files. For one thread.
class FileObserver {
 public:
  FileObserver(FileSystem& files, bool remember, DigestMemory* memory = nullptr)
      : files_(files), remember_(remember), memory_(memory) {}

  /// As FileSystem::status.
  int status(const std::string& path, FileStatus& status);
  /// The digest of the content, and the state that it was read in (as distrust_if_young leaves it). 0 or -errno.
  int digest(const std::string& path, FileStatus& status, Digest& digest);
  /// The digest of a header in the folder of a package, whose state was looked at before. With a memory it is not read
  /// again while the folder has that state: a package's files are replaced, and not edited.
  int digest_in_package(const std::string& path, const FileStatus& folder, Digest& digest);
  /// Whether a regular file can be opened for reading. Tried each time.
  bool is_readable(const std::string& path);
  /// Alters the state of a young file so that it equals none: the next look-up reads the content again.
  void distrust_if_young(FileStatus& status);
  /// Whether another file at that path would have another state: false where times are coarse, and where the change
  /// time is the modification time because the file system keeps no other (images such as erofs).
  bool has_reliable_times(const std::string& path, const FileStatus& status);

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
  DigestMemory* const memory_;
  std::unordered_map<std::string, Status> statuses_;
  std::unordered_map<std::string, Content> contents_;
  std::vector<std::pair<std::uint64_t, bool>> change_times_;  // by device: whether it keeps them
};

}  // namespace kiln
