// Whole files and parts of them: read, and published atomically.
#pragma once

#include "base/digest.hpp"
#include "base/file_system.hpp"

#include <string>
#include <string_view>

namespace kiln {

/// Whether it is there, links followed, and is an ordinary file.
bool is_regular_file(const std::string& path);

/// Reads a whole file into `bytes`. 0 or -errno; -EINVAL for what is no regular file, because a pipe may never be
/// written to and a device may never end. Handles short reads.
int read_file(FileSystem& files, const std::string& path, std::string& bytes);

/// The same for a file that a person named, which may be a pipe, as of a shell's "<(...)". Throws Error with the path
/// and the reason.
std::string read_named_file(const std::string& path);

/// The same for a regular file that is no link: where its name stands in a file of somebody else's.
std::string read_unlinked_file(const std::string& path);

struct ReadOptions {
  int flags = 0;                                    // for open(2), beside O_RDONLY
  std::uint64_t max_size = std::uint64_t{1} << 32;  // above it nothing is allocated: -EFBIG
  bool takes_pipes = false;
};

/// The same, with the status of the very file that was read (taken from its descriptor before the first byte).
int read_file(FileSystem& files, const std::string& path, std::string& bytes, FileStatus& status,
              const ReadOptions& options = {});

/// Reads `size` bytes of an open file from `offset` on into `bytes`; fewer where the file ends before. 0 or -errno, of
/// which -ENOMEM too. Handles short reads.
int read_part(FileSystem& files, int descriptor, std::uint64_t offset, std::size_t size, std::string& bytes);

/// The digest of an open file's whole content, a piece at a time. 0 or -errno.
int digest_file(FileSystem& files, int descriptor, Digest& digest);

/// Writes all of it to an open file. 0 or -errno. Handles short writes.
int write_all(FileSystem& files, int descriptor, std::string_view bytes);

/// Writes `bytes` to a new file of mode 0600 in `temporary_dir` (the same file system as `path`) and renames it to
/// `path`, so that a reader sees the old file, the new one or none; with Sync::on, after a loss of power too, once the
/// folder is synced. 0 or -errno; after a failure nothing is left behind.
int publish_file(FileSystem& files, const std::string& temporary_dir, const std::string& path, std::string_view bytes,
                 Sync sync = Sync::off);

/// Writes a file that a person named, completely or not at all: every such output goes through here. A link stays a
/// link, a file that is there keeps its permissions, and what is no regular file, such as a device or a FIFO, is
/// written to and never replaced. 0 or -errno; -EISDIR for a folder.
int write_named_file(const std::string& path, std::string_view bytes);

/// The path of the file that is to be written under that name: where it is a link the one that it leads to.
std::string written_file(const std::string& path);

/// fsync(2) of a folder: which names are in it. 0 or -errno; 0 where the file system has no such thing.
int sync_folder(FileSystem& files, const std::string& path);

/// A name in that folder which no other file has: <pid>-<random>.tmp
std::string temporary_name(FileSystem& files, const std::string& temporary_dir);

/// Creates a folder of mode 0700 (whatever the umask) and its missing parents. 0 where it is there already.
int make_directories(FileSystem& files, const std::string& path);

}  // namespace kiln
