// The memory into which NVRTC maps precompiled headers: it must lie at the same address in each process.
#pragma once

#include "toolkit/libraries/nvrtc_library.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace kiln {

/// Has NVRTC put its heap for precompiled headers at an address that is the same in all processes, and be as large as
/// any compile needs; only what is used of it becomes memory. Once for the process, before the first program that
/// makes or uses one. Empty, or why that cannot be done in this process. Needs a program that exports the `mmap` of
/// pch_heap.cpp (pch_heap.list).
const std::string& prepare_pch_heap(const NvrtcLibrary& nvrtc);

/// The part of a file that NVRTC maps into the heap in one go: nearly all of it.
struct PchImage {
  std::uint64_t offset = 0;  // in the file
  std::uint64_t size = 0;    // in bytes; 0: not known
};

/// In the life of this object NVRTC gets that part of the file read, by several threads and into huge pages, where it
/// maps it in pieces of 64 KiB: nearly every page is written to, and a copy of each on its own takes most of the time
/// that such a compile needs. Calls `loaded` when the part is there. Without a size it only watches. One at a time.
class PchImageReading {
 public:
  PchImageReading(const PchImage& image, std::function<void()> loaded);
  ~PchImageReading();
  PchImageReading(const PchImageReading&) = delete;
  PchImageReading& operator=(const PchImageReading&) = delete;

  /// The largest part that was mapped in one go so far.
  PchImage largest() const;
};

/// Whether NVRTC has requested the heap and got another address.
bool is_pch_heap_misplaced() noexcept;

}  // namespace kiln
