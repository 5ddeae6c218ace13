// The process's limit on the size of files, RLIMIT_FSIZE, beyond which a write ends it by SIGXFSZ.
#pragma once

#include <signal.h>

#include <cstdint>

namespace kiln {

/// In bytes; UINT64_MAX where there is none.
std::uint64_t file_size_limit() noexcept;

/// In the life of this object, a write of its thread beyond the limit gives the error EFBIG and no more. No handler is
/// changed. Costs one system call where there is no limit. Keeps errno.
class FileSizeGuard {
 public:
  FileSizeGuard() noexcept;
  ~FileSizeGuard();
  FileSizeGuard(const FileSizeGuard&) = delete;
  FileSizeGuard& operator=(const FileSizeGuard&) = delete;

 private:
  sigset_t former_ = {};
  bool active_ = false;
};

}  // namespace kiln
