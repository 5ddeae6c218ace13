// Reads what NVRTC would map in pieces. See PchImageReading.
#pragma once

#include "worker/pch/pch_heap.hpp"

#include <cstddef>
#include <functional>

#include <sys/types.h>

namespace kiln {

/// For one thread, which maps one piece after the other.
class ImageLoader {
 public:
  ImageLoader(const PchImage& image, std::function<void()> loaded);

  /// Whether that piece of the file is in memory at `address` by now, so that it need not be mapped. The first piece of
  /// the image has all of it read. False for all else, and where it could not be read.
  bool has_read(char* address, std::size_t size, int descriptor, off_t offset);
  PchImage largest() const noexcept { return largest_; }

 private:
  void watch(const char* address, std::size_t size, off_t offset);
  bool read_image(char* address, int descriptor) const;

  const PchImage image_;
  const std::function<void()> loaded_;
  const std::size_t threads_;  // found here, as what is read while NVRTC maps the image would be recorded
  PchImage largest_;
  // The run of pieces that lie one after the other.
  PchImage run_;
  const char* run_end_ = nullptr;
  bool is_in_image_ = false;
};

}  // namespace kiln
