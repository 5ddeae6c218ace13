// Bytes that may be seen at several addresses: a file that is in memory alone.
#pragma once

#include "base/owned_descriptor.hpp"

#include <cstdint>

namespace kiln::emulator {

/// Offsets and sizes are multiples of a page. The one descriptor of the file is closed in programs that are started.
class SharedPages {
 public:
  SharedPages() = default;
  SharedPages(const SharedPages&) = delete;
  SharedPages& operator=(const SharedPages&) = delete;

  /// Makes the file at least that large, of zeros. False if the host refuses, or has closed the descriptor: likewise
  /// below.
  bool grow(std::uint64_t size);
  /// Sets bytes of the file. False if the host has no memory for them.
  bool fill(std::uint64_t offset, std::uint64_t size, unsigned char value);
  /// Releases the memory of the bytes: they are zeros then.
  void give_back(std::uint64_t offset, std::uint64_t size);
  /// Shows bytes of the file at an address, in place of what is there. False if the host refuses.
  bool show(std::uint64_t address, std::uint64_t offset, std::uint64_t size);
  /// Puts zeros, usable and of no file, in place of what is there.
  static bool hide(std::uint64_t address, std::uint64_t size);

 private:
  OwnedDescriptor file_;
  std::uint64_t size_ = 0;
};

}  // namespace kiln::emulator
