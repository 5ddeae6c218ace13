#include "cache/file_observer.hpp"

#include "base/files.hpp"

#include <algorithm>

namespace kiln {

namespace {

constexpr std::int64_t second = 1'000'000'000;
// Longer than a tick of any kernel's clock (10 ms).
constexpr std::int64_t young_ns = 20'000'000;
// The same where times are whole seconds, some of them even ones.
constexpr std::int64_t coarse_young_ns = 2 * second + young_ns;

}  // namespace

bool same_state(const FileStatus& a, const FileStatus& b) noexcept {
  return a.inode == b.inode && a.size == b.size && a.mtime_ns == b.mtime_ns && a.ctime_ns == b.ctime_ns;
}

bool has_coarse_times(const FileStatus& status) noexcept { return status.ctime_ns % second == 0; }

bool is_young(const FileStatus& status, std::int64_t now_ns) noexcept {
  const std::int64_t window = has_coarse_times(status) ? coarse_young_ns : young_ns;
  return std::max(status.mtime_ns, status.ctime_ns) > now_ns - window;
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

int FileObserver::digest(const std::string& path, FileStatus& status, Digest& digest) {
  auto found = contents_.find(path);
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
  content.digest = sha256(bytes);
  distrust_if_young(content.status);
  return content;
}

void FileObserver::distrust_if_young(FileStatus& status) {
  if (is_young(status, files_.now_ns())) status.ctime_ns = 0;
}

}  // namespace kiln
