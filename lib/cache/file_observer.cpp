#include "cache/file_observer.hpp"

#include "base/files.hpp"
#include "base/path_text.hpp"
#include "cache/digest_memory.hpp"

#include <fcntl.h>

#include <algorithm>
#include <iterator>

namespace kiln {

namespace {

constexpr std::int64_t second = 1'000'000'000;

/// File systems on which any change of a file changes its change time, by their numbers in statfs(2). An overlay shows
/// the times of the file system below it.
constexpr std::uint64_t with_change_times[] = {
    0xef53,      // ext2, ext3, ext4
    0x58465342,  // xfs
    0x9123683e,  // btrfs
    0xf2f52010,  // f2fs
    0x2fc12fc1,  // zfs
    0xca451a4e,  // bcachefs
    0x01021994,  // tmpfs
    0x858458f6,  // ramfs
    0x794c7630,  // overlayfs
    0x6969,      // nfs
    0x00c36400,  // ceph
    0x0bd00bd0,  // lustre
    0x47504653,  // gpfs
    0x19830326,  // beegfs
    0x01161970,  // gfs2
    0x7461636f,  // ocfs2
};

}  // namespace

bool same_state(const FileStatus& a, const FileStatus& b) noexcept {
  return a.device == b.device && same_but_for_device(a, b);
}

bool same_but_for_device(const FileStatus& a, const FileStatus& b) noexcept {
  return a.inode == b.inode && a.size == b.size && a.mtime_ns == b.mtime_ns && a.ctime_ns == b.ctime_ns;
}

bool has_coarse_times(const FileStatus& status) noexcept { return status.ctime_ns % second == 0; }

std::int64_t longest_tick_ns(const FileStatus& status, bool keeps_finer_times) noexcept {
  // A kernel's tick is 10 ms at most. Some file systems store times in even seconds.
  constexpr std::int64_t tick = 20'000'000;
  return has_coarse_times(status) && !keeps_finer_times ? 2 * second + tick : tick;
}

std::int64_t FileObserver::age_of_record() {
  if (!age_) age_ = ask_age_ ? ask_age_() : 0;
  return *age_;
}

int FileObserver::status(const std::string& path, FileStatus& status) {
  if (!remember_) return files_.status(path, status);
  auto found = statuses_.find(path);
  if (found == statuses_.end()) {
    Status seen;
    seen.code = files_.status(path, seen.status);
    found = statuses_.emplace(path, seen).first;
  }
  status = found->second.status;
  return found->second.code;
}

int FileObserver::digest(const std::string& path, FileStatus& status, Digest& digest, bool* is_fresh) {
  auto found = contents_.find(path);
  if (is_fresh != nullptr) *is_fresh = found == contents_.end();
  Content content = found != contents_.end() ? found->second : read(path);
  if (remember_ && found == contents_.end()) contents_.emplace(path, content);
  status = content.status;
  digest = content.digest;
  return content.code;
}

FileObserver::Content FileObserver::read(const std::string& path) {
  Content content;
  std::string bytes;
  content.code = read_file(files_, path, bytes, content.status);
  if (content.code != 0) return content;
  content.digest = digest_of(bytes);
  return content;
}

int FileObserver::digest_in_package(const std::string& path, const FileStatus& folder, Digest& digest, bool* is_fresh) {
  const auto known = memory_ != nullptr ? memory_->find(path, folder) : std::nullopt;
  if (known) {
    digest = *known;
    if (is_fresh != nullptr) *is_fresh = true;  // valid while the folder has that state
    return 0;
  }
  const bool is_old = memory_ != nullptr && memory_->is_old(folder_of(path), folder, files_.steady_ns());
  FileStatus ignored;
  bool is_read = false;
  const int code = this->digest(path, ignored, digest, &is_read);
  if (is_fresh != nullptr) *is_fresh = is_read;
  if (code == 0 && is_old && is_read) memory_->add(path, folder, digest);
  return code;
}

bool FileObserver::is_readable(const std::string& path) {
  const int descriptor = files_.open(path, O_RDONLY | O_NONBLOCK, 0);
  if (descriptor < 0) return false;
  files_.close(descriptor);
  return true;
}

bool FileObserver::has_reliable_times(const std::string& path, const FileStatus& status) {
  if (has_coarse_times(status)) return false;
  if (status.ctime_ns != status.mtime_ns) return true;
  for (const auto& [device, keeps] : change_times_)
    if (device == status.device) return keeps;
  std::uint64_t type = 0;
  const bool keeps =
      files_.file_system_type(path, type) == 0 &&
      std::find(std::begin(with_change_times), std::end(with_change_times), type) != std::end(with_change_times);
  change_times_.emplace_back(status.device, keeps);
  return keeps;
}

}  // namespace kiln
