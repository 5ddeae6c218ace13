#include "base/temporary_folder.hpp"

#include "base/environment.hpp"
#include "base/file_system.hpp"
#include "base/fork_safe_mutex.hpp"
#include "base/path_text.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln {

namespace {

constexpr std::string_view prefix = "kiln-tmp-";
// Much longer than from the making of a folder to its lock, and than most work, as some shared file systems show no
// lock to other machines.
constexpr std::int64_t least_age_ns = 3'600'000'000'000;

int open_folder(const std::string& path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

void remove_all(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

/// Whether mkdtemp may have made it: a folder of the user's own may begin with the same words.
bool is_our_name(std::string_view name) {
  constexpr std::size_t random = 6;
  if (!name.starts_with(prefix) || name.size() < prefix.size() + 1 + random) return false;
  const std::string_view end = name.substr(name.size() - random - 1);
  constexpr std::string_view letters = "-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  return end.rfind('-') == 0 && end.find_first_not_of(letters) == std::string_view::npos;
}

bool is_left(int folder) {
  FileSystem& files = FileSystem::real();
  FileStatus status;
  return files.status(folder, status) == 0 && status.owner == files.user() && (status.mode & 0777) == S_IRWXU &&
         files.now_ns() - status.mtime_ns >= least_age_ns && ::flock(folder, LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& parent, const std::string& purpose)
    : path_(parent + "/" + std::string(prefix) + purpose + "-XXXXXX"), generation_(fork_generation()) {
  static std::atomic<bool> swept{false};
  if (!swept.exchange(true)) sweep_temporary_folders(parent);
  if (::mkdtemp(path_.data()) == nullptr) {
    error_ = errno;
    return;
  }
  lock_ = OwnedDescriptor(open_folder(path_));
  if (lock_.get() < 0) {  // such as too many open files: without the lock another process would sweep it
    error_ = errno;
    ::rmdir(path_.c_str());
    return;
  }
  ::flock(lock_.get(), LOCK_EX | LOCK_NB);  // where the file system has no locks, no sweep gets one either
}

TemporaryFolder::~TemporaryFolder() {
  if (error_ == 0 && generation_ == fork_generation()) remove_all(path_);
}

std::string temporary_files() { return environment("TMPDIR").value_or("/tmp"); }

void sweep_temporary_folders(const std::string& parent) {
  std::vector<std::string> names;
  FileSystem::real().list(parent, names);
  for (const std::string& name : names) {
    if (!is_our_name(name)) continue;
    const std::string path = joined(parent, name);
    const OwnedDescriptor folder(open_folder(path));
    if (folder.get() >= 0 && is_left(folder.get())) remove_all(path);
  }
}

}  // namespace kiln
