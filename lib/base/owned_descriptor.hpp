// A file descriptor with an owner.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <utility>

namespace kiln {

/// Which file a descriptor is of. A program may close all descriptors, Kiln's too, and open its own: then a number that
/// Kiln remembers is another file's.
class DescriptorFile {
 public:
  explicit DescriptorFile(int descriptor = -1) noexcept {
    struct stat status = {};
    if (descriptor < 0 || ::fstat(descriptor, &status) != 0) return;
    device_ = status.st_dev;
    inode_ = status.st_ino;
    is_known_ = true;
  }

  /// Whether the number still leads to that file. What the kernel has no inode for, such as events, is all alike.
  bool is_behind(int descriptor) const noexcept {
    const DescriptorFile now(descriptor);
    return now.is_known_ == is_known_ && now.device_ == device_ && now.inode_ == inode_;
  }

 private:
  dev_t device_ = 0;
  ino_t inode_ = 0;
  bool is_known_ = false;
};

/// Closes its descriptor at its end, unless the program has closed it and uses the number; negative is none. Movable.
class OwnedDescriptor {
 public:
  explicit OwnedDescriptor(int descriptor = -1) noexcept : descriptor_(descriptor), file_(descriptor) {}
  OwnedDescriptor(OwnedDescriptor&& other) noexcept : descriptor_(other.release()), file_(other.file_) {}
  OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(file_, other.file_);
    return *this;
  }
  ~OwnedDescriptor() { close(); }

  int get() const noexcept { return descriptor_; }
  /// Whether it is open, and what it was opened for: to be asked before each use of a descriptor that is kept.
  bool is_own() const noexcept { return descriptor_ >= 0 && file_.is_behind(descriptor_); }
  /// It is the caller's now.
  int release() noexcept { return std::exchange(descriptor_, -1); }
  void close() noexcept {
    const bool is_open = is_own();
    const int descriptor = release();
    if (is_open) ::close(descriptor);
  }

 private:
  int descriptor_;
  DescriptorFile file_;
};

}  // namespace kiln
