// The file of a reader that takes no bytes from memory.
#pragma once

#include "base/file_system.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>

namespace kiln::fuzz {

/// One file, which is found under every name, in memory: a real one would cost most of a target's time.
class MemoryFile : public FileSystem {
 public:
  explicit MemoryFile(std::string_view content = {}) : bytes(content) {}

  std::string bytes;

 private:
  int do_open(const std::string&, int flags, unsigned) override {
    if ((flags & O_EXCL) != 0) bytes.clear();
    position_ = 0;
    return std::numeric_limits<int>::max();  // so that closing it closes nothing
  }
  std::ptrdiff_t do_read(int descriptor, void* buffer, std::size_t size) override {
    const std::ptrdiff_t count = do_read_at(descriptor, buffer, size, static_cast<std::int64_t>(position_));
    position_ += static_cast<std::size_t>(count);
    return count;
  }
  std::ptrdiff_t do_read_at(int, void* buffer, std::size_t size, std::int64_t offset) override {
    const std::size_t begin = std::min(static_cast<std::size_t>(offset), bytes.size());
    return static_cast<std::ptrdiff_t>(bytes.copy(static_cast<char*>(buffer), size, begin));
  }
  std::ptrdiff_t do_write(int, const void* from, std::size_t size) override {
    bytes.append(static_cast<const char*>(from), size);
    return static_cast<std::ptrdiff_t>(size);
  }
  int do_status(const std::string&, FileStatus& status) override { return do_status(0, status); }
  int do_status(int, FileStatus& status) override {
    status = {};
    status.size = bytes.size();
    status.mode = S_IFREG | 0600;
    status.owner = user();
    return 0;
  }
  int do_close(int) override { return 0; }
  int do_try_lock(int, std::int64_t, std::int64_t) override { return 0; }
  int do_unlock(int, std::int64_t, std::int64_t) override { return 0; }
  int do_rename(const std::string&, const std::string&) override { return 0; }
  int do_remove(const std::string&) override { return 0; }

  std::size_t position_ = 0;
};

}  // namespace kiln::fuzz
