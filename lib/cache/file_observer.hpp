// The states and contents of files during one look-up.
#pragma once

#include "base/digest.hpp"
#include "base/file_system.hpp"

#include <cerrno>
#include <cstdint>
#include <functional>
#include <optional>
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

/// Longer than a tick of the clock by which the file system sets times. Another change within the same tick leaves a
/// file's state unchanged. So a state identifies the content only if that was read at least a tick after the state was
/// first seen: an earlier change is in what was read, and a later one has other times. No clock is compared with a
/// file's times, because those come from a server's clock, or were set. `keeps_finer_times`: the file system has shown
/// times that are not in whole seconds, so any change leads to one, whatever time an image gave this file.
std::int64_t longest_tick_ns(const FileStatus& status, bool keeps_finer_times = false) noexcept;

class DigestMemory;

/// Whether a result of FileSystem says that there is nothing at the path.
inline bool is_absent(int code) noexcept { return code == -ENOENT || code == -ENOTDIR; }

/// Status and content of files. Where `remember` is set each is read at most once, which is worth its table where
/// several variants of a manifest name the same files. For one thread.
class FileObserver {
 public:
  FileObserver(FileSystem& files, bool remember, DigestMemory* memory = nullptr)
      : files_(files), remember_(remember), memory_(memory) {}

  /// Returns how long ago the recorded states were recorded, in ns. Called at most once, and only if needed. Without it
  /// they count as recorded just now.
  void find_age_by(std::function<std::int64_t()> ask) { ask_age_ = std::move(ask); }
  std::int64_t age_of_record();
  /// As FileSystem::steady_ns.
  std::int64_t steady_ns() { return files_.steady_ns(); }

  /// As FileSystem::status.
  int status(const std::string& path, FileStatus& status);
  /// Whether there is no such name now, not even a link that leads to nothing.
  bool lacks_name(const std::string& path) {
    FileStatus ignored;
    return is_absent(files_.link_status(path, ignored));
  }
  /// The digest of the content, and the state that it was read in. 0 or -errno. `is_fresh`: whether it was read by this
  /// very call.
  int digest(const std::string& path, FileStatus& status, Digest& digest, bool* is_fresh = nullptr);
  /// The digest of a header in the folder of a package, whose state was looked at before. With a memory it is not read
  /// again while the folder has that state: a package's files are replaced, and not edited.
  int digest_in_package(const std::string& path, const FileStatus& folder, Digest& digest, bool* is_fresh = nullptr);
  /// Whether a regular file can be opened for reading. Tried each time.
  bool is_readable(const std::string& path);
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
  std::function<std::int64_t()> ask_age_;
  std::optional<std::int64_t> age_;
  std::unordered_map<std::string, Status> statuses_;
  std::unordered_map<std::string, Content> contents_;
  std::vector<std::pair<std::uint64_t, bool>> change_times_;  // by device: whether it keeps them
};

}  // namespace kiln
