#include "base/files.hpp"

#include "base/new_file.hpp"
#include "base/path_text.hpp"

#include <kiln/error.hpp>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln {

namespace {

// Has the kernel provide all pages of a large buffer at once: page by page they cost more than the read.
void prefault(std::string& bytes) {
#ifdef MADV_POPULATE_WRITE
  constexpr std::size_t large = 32768;
  if (bytes.capacity() < large) return;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t before = reinterpret_cast<std::uintptr_t>(bytes.data()) % page;
  const std::size_t skipped = before == 0 ? 0 : page - before;
  // Older kernels refuse, and lose nothing by it.
  (void)::madvise(bytes.data() + skipped, (bytes.capacity() - skipped) / page * page, MADV_POPULATE_WRITE);
#else
  (void)bytes;
#endif
}

// Reads up to the size in the status; to the end where that is zero, as for files of the kernel.
int read_all(FileSystem& files, int descriptor, std::uint64_t size, std::uint64_t max_size, std::string& bytes) {
  const bool size_known = size > 0;
  if (size > max_size) return -EFBIG;
  bytes.reserve(size_known ? static_cast<std::size_t>(size) : 4096);
  prefault(bytes);
  bytes.resize(size_known ? static_cast<std::size_t>(size) : 4096);
  std::size_t done = 0;
  while (done < bytes.size()) {
    std::ptrdiff_t count = files.read(descriptor, bytes.data() + done, bytes.size() - done);
    if (count < 0) return static_cast<int>(count);
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
    if (size_known || done < bytes.size()) continue;
    if (done >= max_size) return -EFBIG;
    bytes.resize(2 * done);
  }
  bytes.resize(done);
  return 0;
}

std::string hexadecimal(std::uint64_t value) {
  std::array<char, 16> text;
  char* end = std::to_chars(text.data(), text.data() + text.size(), value, 16).ptr;
  return std::string(text.data(), end);
}

// From the kernel each time, so that a child of fork and its parent do not draw the same.
std::uint64_t random_number(FileSystem& files) {
  std::uint64_t value = 0;
  if (::getrandom(&value, sizeof value, GRND_NONBLOCK) != static_cast<ssize_t>(sizeof value))
    value = static_cast<std::uint64_t>(files.now_ns());  // O_EXCL keeps a clash harmless
  return value;
}

}  // namespace

int read_file(FileSystem& files, const std::string& path, std::string& bytes, FileStatus& status,
              const ReadOptions& options) {
  int descriptor = files.open(path, O_RDONLY | options.flags | (options.takes_pipes ? 0 : O_NONBLOCK), 0);
  if (descriptor < 0) return descriptor;
  int code = files.status(descriptor, status);
  if (code == 0 && status.is_directory()) code = -EISDIR;
  if (code == 0 && !status.is_regular() && !(options.takes_pipes && S_ISFIFO(status.mode))) code = -EINVAL;
  try {
    if (code == 0) code = read_all(files, descriptor, status.size, options.max_size, bytes);
  } catch (const std::bad_alloc&) {
    code = -ENOMEM;
  }
  files.close(descriptor);
  return code;
}

bool is_regular_file(const std::string& path) {
  FileStatus status;
  return FileSystem::real().status(path, status) == 0 && status.is_regular();
}

int read_file(FileSystem& files, const std::string& path, std::string& bytes) {
  FileStatus status;
  return read_file(files, path, bytes, status);
}

int read_part(FileSystem& files, int descriptor, std::uint64_t offset, std::size_t size, std::string& bytes) {
  try {
    bytes.resize(size);
  } catch (const std::bad_alloc&) {
    return -ENOMEM;
  }
  std::size_t done = 0;
  while (done < size) {
    const std::ptrdiff_t count =
        files.read_at(descriptor, bytes.data() + done, size - done, static_cast<std::int64_t>(offset + done));
    if (count < 0) return static_cast<int>(count);
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  bytes.resize(done);
  return 0;
}

int digest_file(FileSystem& files, int descriptor, Digest& digest) {
  constexpr std::size_t piece_size = std::size_t{1} << 20;
  RunningDigest running;
  std::string piece;
  std::uint64_t offset = 0;
  do {
    if (const int code = read_part(files, descriptor, offset, piece_size, piece); code != 0) return code;
    running.update(piece);
    offset += piece.size();
  } while (piece.size() == piece_size);
  digest = running.value();
  return 0;
}

int write_all(FileSystem& files, int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const std::ptrdiff_t count = files.write(descriptor, bytes.data(), bytes.size());
    if (count < 0) return static_cast<int>(count);
    if (count == 0) return -EIO;  // or a device that takes nothing would block forever
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

std::string temporary_name(FileSystem& files, const std::string& temporary_dir) {
  return temporary_dir + "/" + std::to_string(::getpid()) + "-" + hexadecimal(random_number(files)) + ".tmp";
}

int publish_file(FileSystem& files, const std::string& temporary_dir, const std::string& path, std::string_view bytes,
                 Sync sync) {
  NewFile file(files, temporary_dir);
  int code = file.write(bytes);
  if (code == 0 && sync == Sync::on) code = file.sync();
  return code == 0 ? file.publish(path) : code;
}

int sync_folder(FileSystem& files, const std::string& path) {
  const int descriptor = files.open(path, O_RDONLY | O_DIRECTORY, 0);
  if (descriptor < 0) return descriptor;
  const int code = files.sync(descriptor);
  files.close(descriptor);
  return code == -EINVAL ? 0 : code;
}

namespace {

/// 0 for a folder, else an errno with a minus.
int require_directory(FileSystem& files, const std::string& path) {
  FileStatus status;
  const int code = files.status(path, status);
  return code != 0 ? code : status.is_directory() ? 0 : -ENOTDIR;
}

}  // namespace

int make_directories(FileSystem& files, const std::string& path) {
  std::vector<std::string> missing = {path};
  int code = files.make_directory(path, 0700);
  while (code == -ENOENT) {
    const std::string& child = missing.back();
    const std::size_t end = child.find_last_not_of('/');
    const std::size_t slash = end == std::string::npos ? end : child.rfind('/', end);
    const std::size_t parent_end = slash == std::string::npos ? slash : child.find_last_not_of('/', slash);
    if (parent_end == std::string::npos) return code;  // nothing above it: the root, or a relative name
    missing.push_back(child.substr(0, parent_end + 1));
    code = files.make_directory(missing.back(), 0700);
  }
  for (;;) {
    if (code == -EEXIST) code = require_directory(files, missing.back());
    missing.pop_back();
    if (code != 0 || missing.empty()) return code;
    code = files.make_directory(missing.back(), 0700);
  }
}

namespace {

std::string read_or_throw(const std::string& path, const ReadOptions& options) {
  std::string bytes;
  FileStatus status;
  const int code = read_file(FileSystem::real(), path, bytes, status, options);
  if (code == -EINVAL) throw Error("cannot read " + path + ": it is no regular file");
  if (code == -ELOOP && (options.flags & O_NOFOLLOW) != 0)
    throw Error("cannot read " + path + ": it is a link, which may lead to any file: put a copy in its place");
  if (code != 0) throw Error("cannot read " + path + ": " + std::generic_category().message(-code));
  return bytes;
}

int write_in_place(FileSystem& files, const std::string& path, std::string_view bytes) {
  const int descriptor = files.open(path, O_WRONLY | O_NOCTTY, 0);
  if (descriptor < 0) return descriptor;
  const int code = write_all(files, descriptor, bytes);
  const int closed = files.close(descriptor);
  return code != 0 ? code : closed;
}

}  // namespace

std::string read_named_file(const std::string& path) {
  ReadOptions options;
  options.takes_pipes = true;
  return read_or_throw(path, options);
}

std::string read_unlinked_file(const std::string& path) {
  ReadOptions options;
  options.flags = O_NOFOLLOW;
  return read_or_throw(path, options);
}

std::string written_file(const std::string& path) {
  std::error_code failed;
  std::filesystem::path target = std::filesystem::absolute(path, failed);  // or a new name has no folder
  if (failed) return path;
  // A link to what is not there yet is none to weakly_canonical.
  constexpr int most_links = 40;
  for (int links = 0; links < most_links && std::filesystem::is_symlink(target, failed); ++links)
    target = target.parent_path() / std::filesystem::read_symlink(target, failed);
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(target, failed);
  return failed ? target.string() : canonical.string();
}

int write_named_file(const std::string& path, std::string_view bytes) {
  FileSystem& files = FileSystem::real();
  FileStatus status;
  const int found = files.status(path, status);
  if (found == 0 && status.is_directory()) return -EISDIR;
  if (found == 0 && !status.is_regular()) return write_in_place(files, path, bytes);
  const std::string target = written_file(path);
  const unsigned mode = found == 0 ? status.mode & 0777U : 0666U;
  NewFile file(files, folder_of_name(target, "."), mode);
  file.write(bytes);
  const int code = file.publish(target);
  if (code == 0 && found == 0) ::chmod(target.c_str(), mode);  // what the umask took away
  return code;
}

}  // namespace kiln
