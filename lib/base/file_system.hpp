// The one interface to the file system. Production code uses FileSystem::real(); tests replace it by a fake that counts
// calls and injects faults.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kiln {

/// The stat fingerprint of a file: device, inode, size, times of modification and of change.
using FileState = std::array<std::uint64_t, 5>;

/// Whether what is written must be on the disk before it is relied on.
enum class Sync { off, on };

struct FileStatus {
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;
  std::uint64_t device = 0;
  std::uint32_t mode = 0;
  std::uint32_t owner = 0;
  bool is_directory() const;
  bool is_regular() const;
  bool is_link() const;
  FileState state() const;
};

/// System calls, each returning 0 or a non-negative result, or -errno. No call throws. Thread-safe. A call that was
/// interrupted (EINTR: from a file system in user space also where the manual does not list it) is made again; an
/// interrupted close has closed.
class FileSystem {
 public:
  static FileSystem& real();
  virtual ~FileSystem() = default;

  /// open(2) with O_CLOEXEC added: a descriptor or -errno.
  int open(const std::string& path, int flags, unsigned mode);
  std::ptrdiff_t read(int descriptor, void* buffer, std::size_t size);
  /// pread(2): reads from an offset and moves nothing.
  std::ptrdiff_t read_at(int descriptor, void* buffer, std::size_t size, std::int64_t offset);
  std::ptrdiff_t write(int descriptor, const void* bytes, std::size_t size);
  int close(int descriptor);
  /// fsync(2): the file's content, or a folder's names, outlast a loss of power.
  int sync(int descriptor);
  /// An exclusive open-file-description lock of `length` bytes at `offset`, without waiting; -EAGAIN where another has
  /// it.
  int try_lock(int descriptor, std::int64_t offset, std::int64_t length);
  int unlock(int descriptor, std::int64_t offset, std::int64_t length);
  /// stat(2), which follows links.
  int status(const std::string& path, FileStatus& status);
  int status(int descriptor, FileStatus& status);
  /// lstat(2): of a link itself.
  int link_status(const std::string& path, FileStatus& status);
  /// statfs(2)'s f_type of the file system that the path leads to.
  int file_system_type(const std::string& path, std::uint64_t& type);
  /// mkdir(2), of exactly that mode whatever the umask.
  int make_directory(const std::string& path, unsigned mode);
  int rename(const std::string& from, const std::string& to);
  int remove(const std::string& path);
  /// Sets the modification time to now, by the file system's own clock.
  int touch(const std::string& path);
  /// The names in a folder, without "." and "..", in no order.
  int list(const std::string& path, std::vector<std::string>& names);
  /// The time of day, nanoseconds since 1970: for the ages of the cache's own files. Do not compare it with times of
  /// other files: those come from a server's clock, or were set.
  virtual std::int64_t now_ns();
  /// A monotonic clock, the same for all processes of this machine: for the time between two observations of a file.
  virtual std::int64_t steady_ns();
  /// Whose files are one's own: the effective user.
  virtual std::uint32_t user();

 protected:
  // One attempt each.
  virtual int do_open(const std::string& path, int flags, unsigned mode);
  virtual std::ptrdiff_t do_read(int descriptor, void* buffer, std::size_t size);
  virtual std::ptrdiff_t do_read_at(int descriptor, void* buffer, std::size_t size, std::int64_t offset);
  virtual std::ptrdiff_t do_write(int descriptor, const void* bytes, std::size_t size);
  virtual int do_close(int descriptor);
  virtual int do_sync(int descriptor);
  virtual int do_try_lock(int descriptor, std::int64_t offset, std::int64_t length);
  virtual int do_unlock(int descriptor, std::int64_t offset, std::int64_t length);
  virtual int do_status(const std::string& path, FileStatus& status);
  virtual int do_status(int descriptor, FileStatus& status);
  virtual int do_link_status(const std::string& path, FileStatus& status);
  virtual int do_file_system_type(const std::string& path, std::uint64_t& type);
  virtual int do_make_directory(const std::string& path, unsigned mode);
  virtual int do_rename(const std::string& from, const std::string& to);
  virtual int do_remove(const std::string& path);
  virtual int do_touch(const std::string& path);
  virtual int do_list(const std::string& path, std::vector<std::string>& names);
};

}  // namespace kiln
