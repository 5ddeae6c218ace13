#include "base/file_system.hpp"

#include "base/file_size_limit.hpp"
#include "base/fork_safe_instance.hpp"

#include <cerrno>
#include <cstdio>
#include <ctime>
#include <new>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace kiln {

namespace {

constexpr std::int64_t second = 1'000'000'000;

FileStatus convert(const struct stat& from) {
  FileStatus to;
  to.inode = from.st_ino;
  to.size = static_cast<std::uint64_t>(from.st_size);
  to.mtime_ns = from.st_mtim.tv_sec * second + from.st_mtim.tv_nsec;
  to.ctime_ns = from.st_ctim.tv_sec * second + from.st_ctim.tv_nsec;
  to.device = from.st_dev;
  to.mode = from.st_mode;
  to.owner = from.st_uid;
  return to;
}

int result(int returned) { return returned < 0 ? -errno : returned; }

/// What stat(2) and the like returned, and the status where they succeeded.
int result(int returned, const struct stat& raw, FileStatus& status) {
  if (returned == 0) status = convert(raw);
  return result(returned);
}

int lock_range(int descriptor, short type, std::int64_t offset, std::int64_t length) {
  struct flock range = {};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = offset;
  range.l_len = length;
  int code = result(::fcntl(descriptor, F_OFD_SETLK, &range));
  return code == -EACCES ? -EAGAIN : code;  // POSIX allows either for a lock that another has
}

// Never more often than that, or a broken file system would block forever.
template <class Call>
auto uninterrupted(Call call) {
  constexpr int attempts = 1000;
  auto result = call();
  for (int attempt = 1; result == -EINTR && attempt < attempts; ++attempt) result = call();
  return result;
}

}  // namespace

bool FileStatus::is_directory() const { return S_ISDIR(mode); }
bool FileStatus::is_regular() const { return S_ISREG(mode); }
bool FileStatus::is_link() const { return S_ISLNK(mode); }

FileState FileStatus::state() const {
  return {device, inode, size, static_cast<std::uint64_t>(mtime_ns), static_cast<std::uint64_t>(ctime_ns)};
}

FileSystem& FileSystem::real() { return fork_safe_instance<FileSystem>(); }

int FileSystem::open(const std::string& path, int flags, unsigned mode) {
  return uninterrupted([&] { return do_open(path, flags, mode); });
}

std::ptrdiff_t FileSystem::read(int descriptor, void* buffer, std::size_t size) {
  return uninterrupted([&] { return do_read(descriptor, buffer, size); });
}

std::ptrdiff_t FileSystem::read_at(int descriptor, void* buffer, std::size_t size, std::int64_t offset) {
  return uninterrupted([&] { return do_read_at(descriptor, buffer, size, offset); });
}

std::ptrdiff_t FileSystem::write(int descriptor, const void* bytes, std::size_t size) {
  return uninterrupted([&] { return do_write(descriptor, bytes, size); });
}

// Linux has closed the descriptor also where it returns EINTR.
int FileSystem::close(int descriptor) {
  const int code = do_close(descriptor);
  return code == -EINTR ? 0 : code;
}

int FileSystem::try_lock(int descriptor, std::int64_t offset, std::int64_t length) {
  return uninterrupted([&] { return do_try_lock(descriptor, offset, length); });
}

int FileSystem::unlock(int descriptor, std::int64_t offset, std::int64_t length) {
  return uninterrupted([&] { return do_unlock(descriptor, offset, length); });
}

int FileSystem::status(const std::string& path, FileStatus& status) {
  return uninterrupted([&] { return do_status(path, status); });
}

int FileSystem::status(int descriptor, FileStatus& status) {
  return uninterrupted([&] { return do_status(descriptor, status); });
}

int FileSystem::link_status(const std::string& path, FileStatus& status) {
  return uninterrupted([&] { return do_link_status(path, status); });
}

int FileSystem::file_system_type(const std::string& path, std::uint64_t& type) {
  return uninterrupted([&] { return do_file_system_type(path, type); });
}

int FileSystem::make_directory(const std::string& path, unsigned mode) {
  return uninterrupted([&] { return do_make_directory(path, mode); });
}

int FileSystem::rename(const std::string& from, const std::string& to) {
  return uninterrupted([&] { return do_rename(from, to); });
}

int FileSystem::remove(const std::string& path) {
  return uninterrupted([&] { return do_remove(path); });
}

int FileSystem::sync(int descriptor) {
  return uninterrupted([&] { return do_sync(descriptor); });
}

int FileSystem::touch(const std::string& path) {
  return uninterrupted([&] { return do_touch(path); });
}

int FileSystem::list(const std::string& path, std::vector<std::string>& names) {
  return uninterrupted([&] { return do_list(path, names); });
}

int FileSystem::do_open(const std::string& path, int flags, unsigned mode) {
  return result(::open(path.c_str(), flags | O_CLOEXEC, mode));
}

std::ptrdiff_t FileSystem::do_read(int descriptor, void* buffer, std::size_t size) {
  ssize_t count = ::read(descriptor, buffer, size);
  return count < 0 ? -errno : count;
}

std::ptrdiff_t FileSystem::do_read_at(int descriptor, void* buffer, std::size_t size, std::int64_t offset) {
  ssize_t count = ::pread(descriptor, buffer, size, offset);
  return count < 0 ? -errno : count;
}

std::ptrdiff_t FileSystem::do_write(int descriptor, const void* bytes, std::size_t size) {
  const FileSizeGuard guard;
  ssize_t count = ::write(descriptor, bytes, size);
  return count < 0 ? -errno : count;
}

int FileSystem::do_close(int descriptor) { return result(::close(descriptor)); }

int FileSystem::do_try_lock(int descriptor, std::int64_t offset, std::int64_t length) {
  return lock_range(descriptor, F_WRLCK, offset, length);
}

int FileSystem::do_unlock(int descriptor, std::int64_t offset, std::int64_t length) {
  return lock_range(descriptor, F_UNLCK, offset, length);
}

int FileSystem::do_status(const std::string& path, FileStatus& status) {
  struct stat raw;
  return result(::stat(path.c_str(), &raw), raw, status);
}

int FileSystem::do_status(int descriptor, FileStatus& status) {
  struct stat raw;
  return result(::fstat(descriptor, &raw), raw, status);
}

int FileSystem::do_link_status(const std::string& path, FileStatus& status) {
  struct stat raw;
  return result(::lstat(path.c_str(), &raw), raw, status);
}

int FileSystem::do_file_system_type(const std::string& path, std::uint64_t& type) {
  struct statfs raw;
  if (::statfs(path.c_str(), &raw) != 0) return -errno;
  type = static_cast<std::uint32_t>(raw.f_type);  // 32 bits, which some machines keep signed
  return 0;
}

int FileSystem::do_make_directory(const std::string& path, unsigned mode) {
  if (::mkdir(path.c_str(), mode) != 0) return -errno;
  return result(::chmod(path.c_str(), mode));  // the umask may have taken bits that the owner needs
}

int FileSystem::do_rename(const std::string& from, const std::string& to) {
  return result(::rename(from.c_str(), to.c_str()));
}

int FileSystem::do_remove(const std::string& path) { return result(::unlink(path.c_str())); }

int FileSystem::do_sync(int descriptor) { return result(::fsync(descriptor)); }

int FileSystem::do_touch(const std::string& path) {
  // The form with "now" also works where the clocks of a server and its clients differ.
  return result(::utimensat(AT_FDCWD, path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW));
}

int FileSystem::do_list(const std::string& path, std::vector<std::string>& names) {
  DIR* folder = ::opendir(path.c_str());
  if (folder == nullptr) return -errno;
  int code = 0;
  try {
    names.clear();
    while (true) {
      errno = 0;  // the only way to tell the end from a failure
      const dirent* item = ::readdir(folder);
      if (item == nullptr) {
        code = -errno;
        break;
      }
      std::string name = item->d_name;
      if (name != "." && name != "..") names.push_back(std::move(name));
    }
  } catch (const std::bad_alloc&) {
    code = -ENOMEM;
  }
  ::closedir(folder);
  return code;
}

std::int64_t FileSystem::now_ns() {
  struct timespec now;
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * second + now.tv_nsec;
}

std::int64_t FileSystem::steady_ns() {
  struct timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * second + now.tv_nsec;
}

std::uint32_t FileSystem::user() { return ::geteuid(); }

}  // namespace kiln
