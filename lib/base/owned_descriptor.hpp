// A file descriptor with an owner.
#pragma once

#include <unistd.h>

#include <utility>

namespace kiln {

/// Closes its descriptor at its end; negative is none. Movable.
class OwnedDescriptor {
 public:
  explicit OwnedDescriptor(int descriptor = -1) noexcept : descriptor_(descriptor) {}
  OwnedDescriptor(OwnedDescriptor&& other) noexcept : descriptor_(other.release()) {}
  OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~OwnedDescriptor() { close(); }

  int get() const noexcept { return descriptor_; }
  /// It is the caller's now.
  int release() noexcept { return std::exchange(descriptor_, -1); }
  void close() noexcept {
    if (descriptor_ >= 0) ::close(release());
  }

 private:
  int descriptor_;
};

}  // namespace kiln
